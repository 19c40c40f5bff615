import { useWatch } from 'react-hook-form'
import type { DemandItem, PublicDemand } from '#shared/demand/contract.ts'
import { hasMinimumTerm } from '#shared/demand/rules.ts'
import { taxRates } from '#shared/equipment/rules.ts'
import { feeNames, oddTaxRate } from '#shared/quote/rules.ts'
import type { TermName } from '#shared/text/terms.ts'
import { CheckField, DateField, MoneyField, NumberField, SelectField, TextField } from '../../app/form.tsx'
import { colon } from '../../app/colon.ts'
import { machineName, money, named, placeName } from '../../app/format.ts'
import { useText } from '../../app/text.tsx'
import { useRequirements } from '../../demand/demand-parts.tsx'
import { Tag } from '../../ui/parts.tsx'
import { WholeDays } from '../../ui/whole-days.tsx'
import { OfferMarket } from './offer-market.tsx'
import { missDetail } from './miss-detail.ts'
import { canChoose, isDeviating, offeredQty, type Candidate, type QuoteFormState } from './quote-line.ts'
import './quote.css'

type Line = { form: QuoteFormState; index: number; item: DemandItem }
type Duties = Pick<PublicDemand, 'operatorBy' | 'fuelBy'>

/** Edits the offer for one line of a demand. */
export function QuoteLineEditor({
  demand,
  candidates,
  ceiling,
  ...line
}: Line & {
  demand: Duties
  candidates: readonly Candidate[]
  /** The ceiling in yuan for one rent unit, if the demand shows it. */
  ceiling: string | undefined
}) {
  const { form, index, item } = line
  const text = useText()
  const words = text.quote.form
  const requirements = useRequirements()
  const included = useWatch({ control: form.control, name: `lines.${index}.included` })
  const wrong = form.errorAt(`lines.${index}.demandItemId`)
  return (
    <section className="line-editor" aria-label={text.demand.line(item.lineNo)}>
      <header>
        <h3>
          {item.lineNo}. {named(text, item)} ×{item.qty}
        </h3>
        <CheckField form={form} name={`lines.${index}.included`} label={words.include} disabled={candidates.length === 0 && !included} />
      </header>
      <p className="row gap-6">
        {requirements(item).map((one) => (
          <Tag key={one}>{one}</Tag>
        ))}
        {ceiling && <Tag tone="amber">{text.quote.sheet.ceiling(money(ceiling), text.equipment.unit[item.rentUnit])}</Tag>}
      </p>
      {included && wrong && <p className="field-error">{wrong}</p>}
      {included && (
        <>
          <MachineChoice {...line} candidates={candidates} />
          <OfferFields {...line} demand={demand} candidates={candidates} ceiling={ceiling} />
        </>
      )}
      {candidates.length === 0 && <p className="soft">{words.noCandidate}</p>}
    </section>
  )
}

/** The fees whose names are words of the trade. */
const termOfFee: Partial<Record<string, TermName>> = { entryFee: 'transport', exitFee: 'transport', erectionFee: 'erection' }

type OfferProps = Line & { demand: Duties; candidates: readonly Candidate[]; ceiling: string | undefined }

function OfferFields({ form, index, item, demand, candidates, ceiling }: OfferProps) {
  const text = useText()
  const words = text.quote.form
  const at = `lines.${index}` as const
  const { machines, rentUnit, unitPrice, includesOperator, taxRate } = useWatch({ control: form.control, name: at })
  const over = ceiling !== undefined && rentUnit === item.rentUnit && Number(unitPrice) > Number(ceiling)
  return (
    <div className="form-grid">
      <MoneyField
        form={form}
        name={`${at}.unitPrice`}
        label={words.priceIn(text.equipment.unit[rentUnit] ?? '')}
        term={rentUnit === 'S' ? 'shift' : undefined}
        required
        maxLength={12}
      />
      <SelectField
        form={form}
        name={`${at}.taxRate`}
        label={words.taxRate}
        hint={oddTaxRate(includesOperator, Number(taxRate)) ? words.oddTax : undefined}
        options={taxRates.map((rate) => [String(rate), `${rate}%`])}
      />
      <SelectField form={form} name={`${at}.invoiceKind`} label={words.invoice} options={Object.entries(text.demand.invoices)} />
      <DateField form={form} name={`${at}.earliestEntry`} label={words.earliestEntry} required />
      <OfferMarket form={form} index={index} item={item} />
      <div className="row span-all gap-24">
        <CheckField
          form={form}
          name={`${at}.includesOperator`}
          label={words.includesOperator}
          hint={words.dutyOf(text.demand.side[demand.operatorBy])}
        />
        <CheckField
          form={form}
          name={`${at}.includesFuel`}
          label={words.includesFuel}
          hint={words.dutyOf(text.demand.side[demand.fuelBy])}
        />
      </div>
      {over && (
        <TextField
          form={form}
          name={`${at}.ceilingReason`}
          label={words.ceilingReason}
          hint={words.overCeiling(money(ceiling))}
          required
          maxLength={500}
          className="span-all"
        />
      )}
      {feeNames.map((fee) => (
        <MoneyField key={fee} form={form} name={`${at}.${fee}`} label={words[fee]} term={termOfFee[fee]} maxLength={12} />
      ))}
      {hasMinimumTerm(rentUnit) && (
        <NumberField form={form} name={`${at}.minRentDays`} label={words.minRentDays} term="minimum" inputMode="numeric" min="0" numeric />
      )}
      <TextField
        form={form}
        name={`${at}.deviation`}
        label={words.deviation}
        hint={words.deviationHint}
        required={isDeviating({ machines }, candidates)}
        maxLength={500}
        className="span-all"
      />
    </div>
  )
}

/** Picks the machines. A document that expires during the hire requires the promise to renew it. */
function MachineChoice({ form, index, item, candidates }: Line & { candidates: readonly Candidate[] }) {
  const text = useText()
  const words = text.quote.form
  const at = `lines.${index}` as const
  const machines = useWatch({ control: form.control, name: `${at}.machines` })
  const error = form.errorAt(`${at}.machines`)
  const chosen = offeredQty({ machines })
  const swaps = item.qty === 1
  const change = (equipmentId: number, qty: number) => {
    // Where one machine is asked for, another one takes its place.
    const others = swaps && qty > 0 ? [] : machines.filter((machine) => machine.equipmentId !== equipmentId)
    form.setValue(`${at}.machines`, qty > 0 ? [...others, { equipmentId, qty: String(qty) }] : others, { shouldDirty: true })
    form.clearErrors(`${at}.machines`)
  }
  // One that was retired since, or that is of another category than the line now: it takes a place until it is taken out.
  const gone = machines.filter(({ equipmentId }) => candidates.every(({ id }) => id !== equipmentId))
  const needsRenewal = candidates.some(
    ({ id, shortPapers }) => shortPapers.length > 0 && machines.some(({ equipmentId }) => equipmentId === id),
  )
  return (
    <>
      <fieldset className={error ? 'field field-bad' : 'field'}>
        <legend className="legend">
          {words.machines} · {words.machinesHint(item.qty)} · {words.chosen(chosen, item.qty)}
        </legend>
        <div className="stack gap-8">
          {gone.map(({ equipmentId }) => (
            <label key={equipmentId} className="machine-option">
              <input type="checkbox" checked onChange={() => change(Number(equipmentId), 0)} />
              <span>
                <strong className="num">#{equipmentId}</strong> <Tag tone="bad">{words.miss.gone}</Tag>
              </span>
            </label>
          ))}
          {candidates.map((machine) => (
            <MachineOption
              key={machine.id}
              machine={machine}
              qty={Number(machines.find(({ equipmentId }) => equipmentId === machine.id)?.qty ?? 0)}
              open={swaps ? 1 : item.qty - chosen}
              planEnd={item.planEnd}
              onChange={(qty) => change(machine.id, qty)}
            />
          ))}
        </div>
        {error && <p className="field-error">{error}</p>}
      </fieldset>
      {needsRenewal && <CheckField form={form} name={`${at}.promisesRenewal`} label={words.renewal} />}
    </>
  )
}

function MachineOption({
  machine,
  qty,
  open,
  planEnd,
  onChange,
}: {
  machine: Candidate
  /** How many of this lot or machine are offered. */
  qty: number
  /** How many machines the line still takes. */
  open: number
  planEnd: string
  onChange: (qty: number) => void
}) {
  const text = useText()
  const words = text.quote.form
  const possible = canChoose(machine)
  const mine = qty > 0
  const isFull = !mine && possible && open <= 0
  return (
    <label className="machine-option">
      <input
        type="checkbox"
        disabled={isFull || (!mine && !possible)}
        checked={mine}
        onChange={(event) => onChange(event.target.checked ? Math.max(1, Math.min(open, machine.freeQty)) : 0)}
      />
      <span>
        <strong>{machineName(text, machine)}</strong>{' '}
        <span className="small soft">
          {machine.equipmentCode} · {text.equipment.year(machine.outFactoryDate.slice(0, 4))} · {placeName(text, machine)}
        </span>
        <span className="row gap-4 mt-4">
          {isFull && <Tag>{words.full}</Tag>}
          {machine.misses.map((miss) => (
            <Tag key={miss.kind + miss.detail} tone={possible ? 'warn' : 'bad'}>
              {words.miss[miss.kind]}
              {miss.detail && <WholeDays text={`${colon(text)}${missDetail(text, miss)}`} />}
            </Tag>
          ))}
          {machine.shortPapers.map((paper) => (
            <Tag key={paper.kind} tone="warn">
              <WholeDays text={words.short(text.equipment.document[paper.kind], paper.validTo, planEnd)} />
            </Tag>
          ))}
        </span>
      </span>
      {machine.isLot && (
        <span className="row nowrap gap-6">
          <span className="small soft">{words.free(machine.freeQty)}</span>
          {mine && (
            <input
              className="input pick num"
              type="number"
              min="1"
              max={machine.freeQty}
              aria-label={`${machineName(text, machine)}${colon(text)}${text.demand.qty}`}
              value={qty}
              onChange={(event) => onChange(Math.max(1, Math.min(machine.freeQty, Number(event.target.value) || 1)))}
            />
          )}
        </span>
      )}
    </label>
  )
}
