import { useQuery } from '@tanstack/react-query'
import { matchInternal, type InternalMatch } from '#shared/internal/contract.ts'
import { call } from '../app/api.ts'
import { CheckField, TextField } from '../ui/form-fields.tsx'
import { money, number } from '../app/format.ts'
import { useCategories } from '../category/category-tree.ts'
import { useText } from '../app/text.tsx'
import type { Errors } from '../app/use-form.ts'
import type { DemandForm } from './draft.ts'
import { isWhole, mainOf } from './use-ceilings.ts'

/** What the group has idle for these lines: asked for, or a reason against it. */
export function InternalChecks({
  values,
  errors,
  change,
}: {
  values: DemandForm
  errors: Errors
  change: (next: Partial<DemandForm>) => void
}) {
  const text = useText()
  const words = text.internal
  const categories = useCategories()
  const whole = values.items.every(isWhole)
  const body = {
    deptId: values.deptId,
    cityId: values.cityId,
    items: values.items.map((item) => ({
      categoryId: item.categoryId,
      ...mainOf(item, categories),
      minEmission: item.minEmission || null,
      planStart: item.planStart,
      planEnd: item.planEnd,
    })),
  }
  const found = useQuery({
    queryKey: [matchInternal.url, body],
    queryFn: () => call(matchInternal, { body: body as never }, true),
    enabled: whole && values.deptId !== null && values.cityId !== null && values.demandType === '1',
    staleTime: 60_000,
    placeholderData: (before) => before,
  })
  const matches = [...new Map((found.data ?? []).map((match) => [match.machine.id, match])).values()]
  if (matches.length === 0 || values.demandType !== '1') return null
  const answerOf = (id: number) =>
    values.internalAnswers.find(({ machineId }) => machineId === id) ?? { machineId: id, take: false, reason: '' }
  const set = (id: number, next: { take?: boolean; reason?: string }) =>
    change({ internalAnswers: [...values.internalAnswers.filter(({ machineId }) => machineId !== id), { ...answerOf(id), ...next }] })
  return (
    <section className="panel stack" aria-label={words.check}>
      <h2>{words.check}</h2>
      <p className="small soft">{words.checkHint}</p>
      {matches.map((match: InternalMatch) => {
        const { machine } = match
        const answer = answerOf(machine.id)
        const price = machine.innerPrice === null ? words.free : `${money(machine.innerPrice)} ${text.equipment.unit.M}`
        return (
          <fieldset key={machine.id} className="price-row stack">
            <legend className="legend">
              {machine.name} · {machine.deptName}
            </legend>
            <p className="small soft">
              {words.checkLine(
                match.lineNo,
                match.distanceKm === null ? '—' : number(match.distanceKm),
                money(match.transport) || '—',
                price,
              )}
              {match.saving !== null && Number(match.saving) > 0 && <strong> · {words.saving(money(match.saving))}</strong>}
            </p>
            <CheckField label={`${words.take}: ${machine.name}`} value={answer.take} onChange={(take) => set(machine.id, { take })} />
            {!answer.take && (
              <TextField
                label={words.whyNot}
                required
                maxLength={200}
                value={answer.reason}
                onChange={(reason) => set(machine.id, { reason })}
                error={errors[`internalAnswers.${machine.id}`]}
              />
            )}
          </fieldset>
        )
      })}
    </section>
  )
}
