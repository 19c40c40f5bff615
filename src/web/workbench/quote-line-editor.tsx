import type { DemandItem } from '#shared/demand/contract.ts'
import { oddTaxRate, taxRates } from '#shared/quote/rules.ts'
import { money, named } from '../app/format.ts'
import { useRequirements } from '../demand/demand-parts.tsx'
import { useText } from '../app/text.tsx'
import { Field, Tag } from '../ui/parts.tsx'
import type { Errors } from '../app/use-form.ts'
import { canChoose, type Candidate, type LineForm } from './quote-line.ts'

export function QuoteLineEditor({
  item,
  line,
  candidates,
  ceiling,
  disabled,
  errors,
  onChange,
}: {
  item: DemandItem
  line: LineForm
  candidates: readonly Candidate[]
  ceiling: string | undefined
  disabled: boolean
  errors: Errors
  onChange: (change: Partial<LineForm>) => void
}) {
  const text = useText()
  const words = text.quote.form
  const requirements = useRequirements()
  const chosen = line.machines.reduce((sum, { qty }) => sum + qty, 0)
  const over = ceiling !== undefined && line.rentUnit === item.rentUnit && Number(line.unitPrice) > Number(ceiling)
  const short = candidates
    .filter(({ id }) => line.machines.some(({ equipmentId }) => equipmentId === id))
    .flatMap(({ shortPapers }) => shortPapers)
  const fees = ['entryFee', 'exitFee', 'erectionFee', 'inspectionFee', 'otherFee'] as const
  return (
    <section className="line-editor" aria-label={text.demand.line(item.lineNo)}>
      <header>
        <h3>
          {item.lineNo}. {named(text, item)} ×{item.qty}
        </h3>
        <label className="check">
          <input
            type="checkbox"
            disabled={disabled || candidates.length === 0}
            checked={line.included}
            onChange={(event) => onChange({ included: event.target.checked })}
          />
          {words.include}
        </label>
      </header>
      <p className="row" style={{ gap: 6 }}>
        {requirements(item).map((one) => (
          <Tag key={one}>{one}</Tag>
        ))}
        {ceiling && (
          <Tag tone="amber">
            {text.demand.form.ceiling} {money(ceiling)} / {text.equipment.unit[item.rentUnit]}
          </Tag>
        )}
      </p>
      {line.included && (
        <>
          <fieldset className={`field${errors.machines ? ' field-bad' : ''}`} style={{ border: 0, margin: 0, padding: 0 }}>
            <legend className="legend">
              {words.machines} · {words.machinesHint(item.qty)} · {words.chosen(chosen, item.qty)}
            </legend>
            <div className="stack" style={{ gap: 8 }}>
              {candidates.map((machine) => (
                <MachineOption
                  key={machine.id}
                  machine={machine}
                  item={item}
                  line={line}
                  room={item.qty - chosen}
                  disabled={disabled}
                  onChange={onChange}
                />
              ))}
            </div>
            {errors.machines && <p className="field-error">{errors.machines}</p>}
          </fieldset>
          {short.length > 0 && (
            <Field label={words.renewal} error={errors.promisesRenewal}>
              {(control) => (
                <label className="check">
                  <input
                    {...control}
                    type="checkbox"
                    disabled={disabled}
                    checked={line.promisesRenewal}
                    onChange={(event) => onChange({ promisesRenewal: event.target.checked })}
                  />
                  {words.renewal}
                </label>
              )}
            </Field>
          )}
          <div className="form-grid">
            <Field label={`${words.unitPrice} (${text.equipment.unit[line.rentUnit]})`} error={errors.unitPrice} required>
              {(control) => (
                <input
                  {...control}
                  className="input num"
                  type="number"
                  inputMode="decimal"
                  step="0.01"
                  min="0"
                  disabled={disabled}
                  value={line.unitPrice}
                  onChange={(event) => onChange({ unitPrice: event.target.value })}
                />
              )}
            </Field>
            <Field
              label={words.taxRate}
              error={errors.taxRate}
              hint={oddTaxRate(line.includesOperator, line.taxRate) ? words.oddTax : undefined}
            >
              {(control) => (
                <select
                  {...control}
                  className="select"
                  disabled={disabled}
                  value={line.taxRate}
                  onChange={(event) => onChange({ taxRate: Number(event.target.value) as 13 })}
                >
                  {taxRates.map((rate) => (
                    <option key={rate} value={rate}>
                      {rate}%
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field label={words.invoice}>
              {(control) => (
                <select
                  {...control}
                  className="select"
                  disabled={disabled}
                  value={line.invoiceKind}
                  onChange={(event) => onChange({ invoiceKind: event.target.value as 'special' })}
                >
                  <option value="special">{text.demand.invoices.special}</option>
                  <option value="plain">{text.demand.invoices.plain}</option>
                </select>
              )}
            </Field>
            <Field label={words.earliestEntry} error={errors.earliestEntry} required>
              {(control) => (
                <input
                  {...control}
                  className="input"
                  type="date"
                  disabled={disabled}
                  value={line.earliestEntry}
                  onChange={(event) => onChange({ earliestEntry: event.target.value })}
                />
              )}
            </Field>
            <div className="row span-all" style={{ gap: 24 }}>
              <label className="check">
                <input
                  type="checkbox"
                  disabled={disabled}
                  checked={line.includesOperator}
                  onChange={(event) => onChange({ includesOperator: event.target.checked })}
                />
                {words.includesOperator}
              </label>
              <label className="check">
                <input
                  type="checkbox"
                  disabled={disabled}
                  checked={line.includesFuel}
                  onChange={(event) => onChange({ includesFuel: event.target.checked })}
                />
                {words.includesFuel}
              </label>
            </div>
            {over && (
              <Field
                label={words.ceilingReason}
                error={errors.ceilingReason}
                hint={words.overCeiling(money(ceiling))}
                required
                className="span-all"
              >
                {(control) => (
                  <input
                    {...control}
                    className="input"
                    maxLength={500}
                    disabled={disabled}
                    value={line.ceilingReason}
                    onChange={(event) => onChange({ ceilingReason: event.target.value })}
                  />
                )}
              </Field>
            )}
            {fees.map((fee) => (
              <Field key={fee} label={words[fee]} error={errors[fee]}>
                {(control) => (
                  <input
                    {...control}
                    className="input num"
                    type="number"
                    inputMode="decimal"
                    step="0.01"
                    min="0"
                    disabled={disabled}
                    value={line[fee]}
                    onChange={(event) => onChange({ [fee]: event.target.value })}
                  />
                )}
              </Field>
            ))}
            <Field label={words.minRentDays} error={errors.minRentDays}>
              {(control) => (
                <input
                  {...control}
                  className="input num"
                  type="number"
                  inputMode="numeric"
                  min="0"
                  disabled={disabled}
                  value={line.minRentDays}
                  onChange={(event) => onChange({ minRentDays: event.target.value })}
                />
              )}
            </Field>
            <Field label={words.deviation} error={errors.deviation} hint={words.deviationHint} className="span-all">
              {(control) => (
                <input
                  {...control}
                  className="input"
                  maxLength={500}
                  disabled={disabled}
                  value={line.deviation}
                  onChange={(event) => onChange({ deviation: event.target.value })}
                />
              )}
            </Field>
          </div>
        </>
      )}
      {candidates.length === 0 && <p className="soft">{words.noCandidate}</p>}
    </section>
  )
}

function MachineOption({
  machine,
  item,
  line,
  room,
  disabled,
  onChange,
}: {
  machine: Candidate
  item: DemandItem
  line: LineForm
  room: number
  disabled: boolean
  onChange: (change: Partial<LineForm>) => void
}) {
  const text = useText()
  const words = text.quote.form
  const mine = line.machines.find(({ equipmentId }) => equipmentId === machine.id)
  const possible = canChoose(machine)
  const set = (qty: number) =>
    onChange({
      machines: [
        ...line.machines.filter(({ equipmentId }) => equipmentId !== machine.id),
        ...(qty > 0 ? [{ equipmentId: machine.id, qty }] : []),
      ],
    })
  return (
    <label className="machine-option">
      <input
        type="checkbox"
        disabled={disabled || (!mine && (!possible || room <= 0))}
        checked={Boolean(mine)}
        onChange={(event) => set(event.target.checked ? Math.max(1, Math.min(room, machine.freeQty)) : 0)}
      />
      <span>
        <strong>{machine.name}</strong>{' '}
        <span className="small soft">
          {machine.equipmentCode} · {text.equipment.year(machine.outFactoryDate.slice(0, 4))} · {machine.regionName}
        </span>
        <span className="row" style={{ gap: 4, marginTop: 4 }}>
          {machine.misses.map((miss) => (
            <Tag key={miss.kind + miss.detail} tone={possible ? 'warn' : 'bad'}>
              {words.miss[miss.kind]}
              {miss.detail && `: ${detailOf(text, miss)}`}
            </Tag>
          ))}
          {machine.shortPapers.map((paper) => (
            <Tag key={paper.kind} tone="warn">
              {words.short(text.equipment.document[paper.kind], paper.validTo, item.planEnd)}
            </Tag>
          ))}
        </span>
      </span>
      {machine.isLot && (
        <span className="row" style={{ flexWrap: 'nowrap', gap: 6 }}>
          <span className="small soft">{words.free(machine.freeQty)}</span>
          {mine && (
            <input
              className="input pick num"
              type="number"
              min="1"
              max={machine.freeQty}
              disabled={disabled}
              aria-label={`${machine.name}: ${text.demand.qty}`}
              value={mine.qty}
              onChange={(event) => set(Math.max(1, Math.min(machine.freeQty, Number(event.target.value) || 1)))}
            />
          )}
        </span>
      )}
    </label>
  )
}

function detailOf(text: ReturnType<typeof useText>, { kind, detail }: Candidate['misses'][number]): string {
  switch (kind) {
    case 'papers':
      return detail
        .split(',')
        .map((paper) => text.equipment.document[paper as 'ownership'] ?? paper)
        .join(text.locale === 'zh-CN' ? '、' : ', ')
    case 'emission':
      return text.equipment.emission[detail as '3'] ?? detail
    default:
      return detail
  }
}
