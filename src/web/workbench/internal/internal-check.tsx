import { useWatch } from 'react-hook-form'
import { matchInternal, type InternalMatch } from '#shared/internal/contract.ts'
import { demandType as demandTypeOf } from '#shared/demand/rules.ts'
import { call } from '../../app/api.ts'
import { colon } from '../../app/colon.ts'
import { CheckField, TextField } from '../../ui/form-fields.tsx'
import { machineName, money, number } from '../../app/format.ts'
import { useCategories } from '../../category/category-tree.ts'
import { useText } from '../../app/text.tsx'
import type { DemandFormState } from '../demand/draft.ts'
import { isComplete, matchedItem, useLookup } from './use-ceilings.ts'

/** The idle machines of the group that fit these lines. The person requests each of them or gives a reason against it. */
export function InternalChecks({ form }: { form: DemandFormState }) {
  const words = useText().internal
  const categories = useCategories()
  const [demandType, deptId, cityId, items, answers] = useWatch({
    control: form.control,
    name: ['demandType', 'deptId', 'cityId', 'items', 'internalAnswers'],
  })
  const body = demandType === demandTypeOf.public &&
    deptId !== null &&
    cityId !== null &&
    items.every(isComplete) && {
      deptId,
      cityId,
      items: items.map((item) => matchedItem(item, categories)),
    }
  const found = useLookup(matchInternal, body, (asked) => call(matchInternal, { body: asked }, true))
  const matches = found.data ?? []
  if (matches.length === 0 || demandType !== demandTypeOf.public) return null
  return (
    <section className="panel stack" aria-label={words.check}>
      <h2>{words.check}</h2>
      <p className="small soft">{words.checkHint}</p>
      {matches.map((match) => {
        const { id } = match.machine
        const answer = answers.find(({ machineId }) => machineId === id) ?? { machineId: id, take: false, reason: '' }
        return (
          <MatchAnswer
            key={id}
            match={match}
            answer={answer}
            error={form.errorAt(`internalAnswers.${id}`)}
            onChange={(next) =>
              form.change({ internalAnswers: [...answers.filter(({ machineId }) => machineId !== id), { ...answer, ...next }] })
            }
          />
        )
      })}
    </section>
  )
}

function MatchAnswer({
  match: { machine, lineNo, distanceKm, transport, saving },
  answer,
  error,
  onChange,
}: {
  match: InternalMatch
  answer: { take: boolean; reason: string }
  error: string | undefined
  onChange: (next: { take?: boolean; reason?: string }) => void
}) {
  const text = useText()
  const words = text.internal
  const name = machineName(text, machine)
  const price = machine.innerPrice === null ? words.free : `${money(machine.innerPrice)} ${text.equipment.unit.M}`
  return (
    <fieldset className="price-row stack">
      <legend className="legend">
        {name} · {machine.deptName}
      </legend>
      <p className="small soft">
        {words.checkLine(lineNo, distanceKm === null ? '—' : number(distanceKm), money(transport) || '—', price)}
        {saving !== null && Number(saving) > 0 && <strong> · {words.saving(money(saving))}</strong>}
      </p>
      <CheckField label={`${words.take}${colon(text)}${name}`} value={answer.take} onChange={(take) => onChange({ take })} />
      {!answer.take && (
        <TextField
          label={words.whyNot}
          required
          maxLength={200}
          value={answer.reason}
          onChange={(reason) => onChange({ reason })}
          error={error}
        />
      )}
    </fieldset>
  )
}
