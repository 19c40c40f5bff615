import { z } from 'zod'
import type { Category } from '#shared/category/contract.ts'
import type { OwnDemand } from '#shared/demand/contract.ts'
import { DemandInput, DemandItemInput, SpecRequirement, type PublishInput } from '#shared/demand/input.ts'
import type { amendDemand } from '#shared/demand/moves.ts'
import { rentUnits, type RentUnit } from '#shared/equipment/rules.ts'
import type { ContractForm } from '../app/contract-form.ts'
import { openForm, type FormValue } from '../app/form-values.ts'

// What the form holds where the wire holds ids only, or a list where the form has a place for each parameter.
const Specs = z.record(z.string(), SpecRequirement.pick({ rule: true }).extend({ value: z.string() }))
const Invited = z.array(z.object({ value: z.number(), label: z.string() }))
const Attachments = z.array(z.object({ fileId: z.string(), name: z.string(), size: z.number() }))

export type ItemForm = Omit<FormValue<z.input<typeof DemandItemInput>>, 'specRequirements'> & {
  /** Of the published line that is being changed. */
  id: number | null
  /** Requirements by the key of their parameter. */
  specs: z.output<typeof Specs>
}

/** The publish form as it stands, half-typed or whole: stored as a draft in this very shape, checked when it is sent. */
export type DemandForm = Omit<FormValue<z.input<typeof DemandInput>>, 'items' | 'invitedCompanyIds' | 'attachmentIds'> & {
  items: ItemForm[]
  invited: z.output<typeof Invited>
  attachments: z.output<typeof Attachments>
  /** Why a demand that is being quoted changes. */
  changeReason: string
}

/** A demand that is published, or the change of one. */
export type DemandBody = z.input<typeof PublishInput> | z.input<typeof amendDemand.body>
export type DemandFormState = ContractForm<DemandForm, DemandBody>

/** The fields of a project that a demand for it starts with. */
export type Project = {
  deptId: number
  projectName: string
  provinceId: number | null
  cityId: number | null
  districtId: number | null
  address: string
  lowEmissionZone: boolean
  leader: string
  phone: string
}

/** A new line: one machine, and what is given. */
export function newItem(from: Partial<ItemForm> = {}): ItemForm {
  return { ...itemFrom({ qty: 1 }), ...from, id: null }
}

/** A new demand with one line. */
export const newDemand = (item: Partial<ItemForm> = {}): DemandForm => ({ ...fromDraft({}), items: [newItem(item)] })

/** The units in which machines of a category are let; the first is the usual one. */
export const unitsOf = (category: Category | undefined): RentUnit[] =>
  category ? category.priceUnits.flatMap((unit) => rentUnits.find((known) => known === unit) ?? []) : ['M', 'D', 'S']

/** The contact and the site of a project in the form; a contact that was typed stays. */
export function ofProject(form: DemandForm, project: Project) {
  return {
    deptId: project.deptId,
    provinceId: project.provinceId,
    cityId: project.cityId,
    districtId: project.districtId,
    address: project.address,
    lowEmissionZone: project.lowEmissionZone,
    contactName: form.contactName || project.leader,
    contactPhone: form.contactPhone || project.phone,
  }
}

/** What the form sends, by the names of the wire; parameters without a value are no requirements. */
export function sentOf({ invited, attachments, items, ...rest }: DemandForm) {
  return {
    ...rest,
    invitedCompanyIds: invited.map(({ value }) => value),
    attachmentIds: attachments.map(({ fileId }) => fileId),
    items: items.map(({ specs, ...item }) => ({
      ...item,
      specRequirements: Object.entries(specs).flatMap(([key, spec]) => (spec.value.trim() === '' ? [] : [{ key, ...spec }])),
    })),
  }
}

/** The name in the form of a path of the wire. */
export const nameInForm = (path: string): string =>
  path
    .replace(/^invitedCompanyIds\b.*/, 'invited')
    .replace(/^attachmentIds\b.*/, 'attachments')
    .replace(/\.specRequirements\b.*/, '.specs')

/** A stored draft of this release or an earlier one, half-typed as it may be: missing and odd parts fall back to the blank form. */
export function fromDraft(stored: Record<string, unknown>): DemandForm {
  // Earlier releases stored the terms of payment beside the other fields.
  const { payment = stored } = stored
  const { items: _, invitedCompanyIds: _ids, attachmentIds: _files, ...fields } = openForm(DemandInput, { ...stored, payment })
  const items = Array.isArray(stored.items) ? stored.items.map(itemFrom) : []
  return {
    ...fields,
    changeReason: '',
    items: items.length > 0 ? items : [newItem()],
    invited: Invited.catch([]).parse(stored.invited),
    attachments: Attachments.catch([]).parse(stored.attachments),
  }
}

/** Published demands and calls of other clients carry requirements as a list. */
function itemFrom(stored: Record<string, unknown>): ItemForm {
  const { specRequirements, ...fields } = openForm(DemandItemInput, stored)
  const listed = Object.fromEntries(specRequirements.map(({ key, rule, value }) => [key, { rule, value }]))
  return { ...fields, id: null, specs: { ...listed, ...Specs.catch({}).parse(stored.specs) } }
}

/** What an older demand becomes: `copy` leaves its dates behind, `rest` what is left of it, the others keep all. */
export type Taking = 'copy' | 'rest' | 'revise' | 'amend'

export function fromDemand(demand: OwnDemand, taking: Taking, awarded: ReadonlyMap<number, number> = new Map()): DemandForm {
  const timed = taking === 'amend' || taking === 'revise'
  const form = fromDraft({
    ...demand,
    quoteDeadline: timed ? demand.quoteDeadline : '',
    clarifyDeadline: timed ? demand.clarifyDeadline : '',
    sourceId: taking === 'rest' ? demand.id : taking === 'revise' ? (demand.source?.id ?? null) : null,
    invited: demand.invited.map(({ companyId, companyName }) => ({ value: companyId, label: companyName })),
  })
  return {
    ...form,
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
  }
}
