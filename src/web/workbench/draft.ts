import type { OwnDemand } from '#shared/demand/contract.ts'
import type { RentUnit, SpecRule } from '#shared/equipment/rules.ts'

/** The publish form as it stands, half-typed or whole: kept as a draft in this very shape, checked when it is sent. */
export type ItemForm = {
  key: string
  /** Of the published line that is being changed. */
  id: number | null
  fatherCategoryId: number | null
  categoryId: number | null
  specs: Record<string, { rule: SpecRule; value: string }>
  brandPreference: string
  maxAgeYears: string
  minEmission: string
  qty: string
  planStart: string
  planEnd: string
  rentUnit: RentUnit
  estQuantity: string
  shiftMode: 'single' | 'double'
  priceCeiling: string
  remark: string
}

/** What a form takes over from the project it is for. */
export type Project = {
  deptId: number
  projectName: string
  projectType: string
  provinceId: number | null
  cityId: number | null
  districtId: number | null
  address: string
  lowEmissionZone: boolean
  leader: string
  phone: string
}

export type DemandForm = {
  demandType: '1' | '2'
  title: string
  deptId: number | null
  provinceId: number | null
  cityId: number | null
  districtId: number | null
  address: string
  lowEmissionZone: boolean
  contactName: string
  contactPhone: string
  quoteDeadline: string
  clarifyDeadline: string
  sealed: boolean
  urgent: boolean
  method: '1' | '2' | '3' | '4'
  minQuotes: string
  cycle: 'month' | 'quarter' | 'end'
  ratio: string
  days: string
  invoice: 'special' | 'plain'
  fuelBy: Side
  operatorBy: Side
  transportBy: Side
  erectionBy: Side
  lodgingBy: Side
  budgetLimit: string
  internalReason: string
  showCeiling: boolean
  /** The demand whose rest this one asks for. */
  sourceId: number | null
  internalAnswers: { machineId: number; take: boolean; reason: string }[]
  terms: string
  items: ItemForm[]
  invited: { value: number; label: string }[]
  attachments: { fileId: string; name: string; size: number }[]
}
type Side = 'lessor' | 'lessee'

let nextKey = 0

export const blankItem = (from?: Partial<ItemForm>): ItemForm => ({
  id: null,
  fatherCategoryId: null,
  categoryId: null,
  specs: {},
  brandPreference: '',
  maxAgeYears: '',
  minEmission: '',
  qty: '1',
  planStart: '',
  planEnd: '',
  rentUnit: 'M',
  estQuantity: '',
  shiftMode: 'single',
  priceCeiling: '',
  remark: '',
  ...from,
  key: `line-${Date.now()}-${nextKey++}`,
})

export const blankForm = (): DemandForm => ({
  demandType: '1',
  title: '',
  deptId: null,
  provinceId: null,
  cityId: null,
  districtId: null,
  address: '',
  lowEmissionZone: false,
  contactName: '',
  contactPhone: '',
  quoteDeadline: '',
  clarifyDeadline: '',
  sealed: true,
  urgent: false,
  method: '1',
  minQuotes: '3',
  cycle: 'month',
  ratio: '70',
  days: '30',
  invoice: 'special',
  fuelBy: 'lessee',
  operatorBy: 'lessor',
  transportBy: 'lessor',
  erectionBy: 'lessor',
  lodgingBy: 'lessee',
  budgetLimit: '',
  internalReason: '',
  showCeiling: true,
  sourceId: null,
  internalAnswers: [],
  terms: '',
  items: [blankItem()],
  invited: [],
  attachments: [],
})

const numberOrUndefined = (text: string) => (text.trim() === '' ? undefined : Number(text))
const numberOrNull = (text: string) => (text.trim() === '' ? null : Number(text))

/** What is sent to publish; the contract's schema checks it. Nothing typed becomes undefined, so that it is asked for. */
export function toInput(form: DemandForm) {
  const { cycle, ratio, days, invoice, invited, attachments, items, ...rest } = form
  return {
    ...rest,
    deptId: form.deptId ?? undefined,
    provinceId: form.provinceId ?? undefined,
    cityId: form.cityId ?? undefined,
    quoteDeadline: form.quoteDeadline || undefined,
    clarifyDeadline: form.clarifyDeadline || null,
    minQuotes: numberOrUndefined(form.minQuotes),
    budgetLimit: form.budgetLimit || null,
    payment: { cycle, ratio: numberOrUndefined(ratio), days: numberOrUndefined(days), invoice },
    invitedCompanyIds: invited.map(({ value }) => value),
    attachmentIds: attachments.map(({ fileId }) => fileId),
    items: items.map(({ key: _, specs, ...item }) => ({
      ...item,
      id: item.id ?? undefined,
      fatherCategoryId: item.fatherCategoryId ?? undefined,
      categoryId: item.categoryId ?? undefined,
      specRequirements: Object.entries(specs)
        .filter(([, { value }]) => value.trim() !== '')
        .map(([name, spec]) => ({ key: name, ...spec })),
      qty: numberOrUndefined(item.qty),
      planStart: item.planStart || undefined,
      planEnd: item.planEnd || undefined,
      estQuantity: numberOrNull(item.estQuantity),
      maxAgeYears: numberOrNull(item.maxAgeYears),
      minEmission: item.minEmission || null,
      priceCeiling: item.priceCeiling || null,
    })),
  }
}

/** A stored draft, whatever it holds, over a blank form: missing and odd parts fall back. */
export function fromDraft(stored: Record<string, unknown>): DemandForm {
  const blank = blankForm()
  const form = { ...blank, ...pickKnown(blank, stored) }
  const payment = stored.payment as Partial<Record<'cycle' | 'ratio' | 'days' | 'invoice', unknown>> | undefined
  if (payment)
    Object.assign(form, {
      cycle: payment.cycle ?? form.cycle,
      ratio: String(payment.ratio ?? form.ratio),
      days: String(payment.days ?? form.days),
      invoice: payment.invoice ?? form.invoice,
    })
  const items = Array.isArray(stored.items) ? (stored.items as Record<string, unknown>[]) : []
  return { ...form, items: items.length > 0 ? items.map(itemFrom) : [blankItem()] }
}

function itemFrom(stored: Record<string, unknown>): ItemForm {
  const blank = blankItem()
  const item = { ...blank, ...pickKnown(blank, stored), key: blank.key }
  // Published demands and calls of other clients carry requirements as a list.
  if (Array.isArray(stored.specRequirements))
    item.specs = Object.fromEntries(
      (stored.specRequirements as { key: string; rule: SpecRule; value: string }[]).map(({ key, rule, value }) => [key, { rule, value }]),
    )
  return item
}

function pickKnown<T extends object>(blank: T, stored: Record<string, unknown>): Partial<T> {
  const known: Record<string, unknown> = {}
  for (const [name, empty] of Object.entries(blank)) {
    const value = stored[name]
    if (value === undefined || value === null) continue
    if (typeof empty === 'string') known[name] = String(value)
    else if (empty === null || typeof value === typeof empty) known[name] = value
  }
  return known as Partial<T>
}

/** What an older demand becomes: `copy` leaves its dates behind, `rest` what is left of it, the others keep all. */
export type Taking = 'copy' | 'rest' | 'revise' | 'amend'

export function fromDemand(demand: OwnDemand, taking: Taking, awarded: ReadonlyMap<number, number> = new Map()): DemandForm {
  const timed = taking === 'amend' || taking === 'revise'
  const form = fromDraft({
    ...demand,
    quoteDeadline: timed ? demand.quoteDeadline : '',
    clarifyDeadline: timed ? (demand.clarifyDeadline ?? '') : '',
    budgetLimit: demand.budgetLimit ?? '',
    sourceId: taking === 'rest' ? demand.id : taking === 'revise' ? (demand.source?.id ?? null) : null,
  } as unknown as Record<string, unknown>)
  return {
    ...form,
    deptId: demand.deptId,
    internalAnswers: taking === 'copy' ? [] : demand.internalCheck.map(({ machineId, reason }) => ({ machineId, take: false, reason })),
    items: form.items.flatMap((item, index) => {
      const line = demand.items[index]
      if (!line) return []
      const left = taking === 'rest' ? line.qty - (awarded.get(line.id) ?? 0) : line.qty
      if (left <= 0) return []
      return [
        {
          ...item,
          id: taking === 'amend' ? line.id : null,
          qty: String(left),
          ...(taking === 'copy' && { planStart: '', planEnd: '' }),
          priceCeiling: demand.ceilings[String(line.id)] ?? '',
        },
      ]
    }),
    invited: demand.invited.map(({ companyId, companyName }) => ({ value: companyId, label: companyName })),
    attachments: demand.attachments,
  }
}
