import { z } from 'zod'
import { addDays } from '#shared/calendar.ts'
import type { Category } from '#shared/category/contract.ts'
import type { OwnDemand } from '#shared/demand/contract.ts'
import { DemandInput, DemandItemInput, SpecRequirement, type PublishInput } from '#shared/demand/input.ts'
import type { amendDemand } from '#shared/demand/moves.ts'
import { demandMethod, needsQuantity, offeredMethods } from '#shared/demand/rules.ts'
import type { FieldProblem } from '#shared/endpoint.ts'
import { rentUnits, type RentUnit } from '#shared/equipment/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { lacksMain } from '#shared/main-param.ts'
import type { CallForm } from '../../app/call-form.ts'
import { openForm, type FormValue } from '../../app/form-values.ts'
import { closingTime } from '../../app/typed-date.ts'

// Fields in which the form differs from the wire: labels beside ids, and requirements by parameter instead of a list.
const Specs = z.record(z.string(), SpecRequirement.pick({ rule: true }).extend({ value: z.string() }))
const Invited = z.array(z.object({ value: z.number(), label: z.string() }))
const Attachments = z.array(z.object({ fileId: z.string(), name: z.string(), size: z.number() }))

export type ItemForm = Omit<FormValue<z.input<typeof DemandItemInput>>, 'specRequirements'> & {
  /** The id of the published line that is being changed. */
  id: number | null
  /** The requirements by the key of their parameter. */
  specs: z.output<typeof Specs>
}

/** The publish form, which may be half-typed. A draft is stored in this shape; nothing is checked until the form is sent. */
export type DemandForm = Omit<FormValue<z.input<typeof DemandInput>>, 'items' | 'invitedCompanyIds' | 'attachmentIds'> & {
  items: ItemForm[]
  invited: z.output<typeof Invited>
  attachments: z.output<typeof Attachments>
  /** The reason for changing a demand that is open for quotes. */
  changeReason: string
}

/** The input of publishing a demand or of amending one. */
export type DemandBody = z.input<typeof PublishInput> | z.input<typeof amendDemand.body>
export type DemandFormState = CallForm<DemandForm, DemandBody>

/** The fields of a project that fill a new demand for it. */
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

/** Makes a line for one machine; `from` fills some of its fields. */
export function newItem(from: Partial<ItemForm> = {}): ItemForm {
  return { ...itemFrom({ qty: 1 }), ...from, id: null }
}

/** Makes a demand with one line. `invited`: the lessors it is meant for from the start. */
export const newDemand = (item: Partial<ItemForm> = {}, invited: DemandForm['invited'] = []): DemandForm => ({
  ...fromDraft({}),
  items: [newItem(item)],
  invited,
})

/** Lists the rent units of a category, the most common one first. */
export const unitsOf = (category: Category | undefined): RentUnit[] =>
  category ? category.priceUnits.flatMap((unit) => rentUnits.find((one) => one === unit) ?? []) : ['M', 'D', 'S']

/** Returns the fields of the form that follow from its project. A contact that was typed stays. */
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

/** Who publishes is presumed to be the contact, unless one was typed. */
export function withContact(form: DemandForm, user: { name: string; phonenumber: string } | undefined): DemandForm {
  if (!user || form.contactName || form.contactPhone) return form
  return { ...form, contactName: user.name, contactPhone: user.phonenumber }
}

/** For how many days a new demand is open for quotes, unless somebody chooses another deadline. */
const usualDays = 3

/** Fills in the usual deadline where the demand has none. */
export function withDeadline(form: DemandForm, today: string): DemandForm {
  return form.quoteDeadline ? form : { ...form, quoteDeadline: `${addDays(today, usualDays)} ${closingTime}:00` }
}

/** Builds the input of the contract. A parameter without a value is no requirement. */
export function demandInputOf({ invited, attachments, items, ...rest }: DemandForm) {
  return {
    ...rest,
    invitedCompanyIds: invited.map(({ value }) => value),
    attachmentIds: attachments.map(({ fileId }) => fileId),
    items: items.map(({ specs, ...item }) => ({
      ...item,
      // The form hides what was typed for another unit.
      estQuantity: needsQuantity(item.rentUnit) ? item.estQuantity : '',
      specRequirements: Object.entries(specs).flatMap(([key, spec]) => (spec.value.trim() === '' ? [] : [{ key, ...spec }])),
    })),
  }
}

/** The lines that ask for nothing of the main parameter of their category. */
export const mainSpecProblems = (form: DemandForm, categories: ReadonlyMap<number, Category>): FieldProblem[] =>
  demandInputOf(form).items.flatMap(({ categoryId, specRequirements }, index) =>
    categoryId !== null && lacksMain(specRequirements, categories.get(categoryId)?.params)
      ? [{ path: ['items', index, 'specs'], rule: 'main_spec' }]
      : [],
  )

/** Maps a path of the wire to the name of the field that shows its error. */
export const nameInForm = (path: string): string =>
  path
    .replace(/^invitedCompanyIds\b.*/, 'invited')
    .replace(/^attachmentIds\b.*/, 'attachments')
    .replace(/\.specRequirements\b.*/, '.specs')

/** Opens a draft of this release or an earlier one. Parts that are missing or of another type are blank. */
export function fromDraft(stored: Record<string, unknown>): DemandForm {
  // Earlier releases stored the terms of payment beside the other fields.
  const { payment = stored } = stored
  const { items: _, invitedCompanyIds: _ids, attachmentIds: _files, ...fields } = openForm(DemandInput, { ...stored, payment })
  const items = Array.isArray(stored.items) ? stored.items.map(itemFrom) : []
  return {
    ...fields,
    // A draft of a method that new demands do not have any more is an enquiry.
    method: isAmong(fields.method, offeredMethods) ? fields.method : demandMethod.enquiry,
    changeReason: '',
    items: items.length > 0 ? items : [newItem()],
    invited: Invited.catch([]).parse(stored.invited),
    attachments: Attachments.catch([]).parse(stored.attachments),
  }
}

/** Opens a line of a draft or of a published demand, which has its requirements as a list. */
function itemFrom(stored: Record<string, unknown>): ItemForm {
  const { specRequirements, ...fields } = openForm(DemandItemInput, stored)
  const listed = Object.fromEntries(specRequirements.map(({ key, rule, value }) => [key, { rule, value }]))
  return { ...fields, id: null, specs: { ...listed, ...Specs.catch({}).parse(stored.specs) } }
}

/** How a form starts from a demand: `copy` drops its dates, `rest` takes the quantities that were not awarded, the others take all of it. */
export type DemandReuse = 'copy' | 'rest' | 'revise' | 'amend'

export function fromDemand(demand: OwnDemand, reuse: DemandReuse, awarded: ReadonlyMap<number, number> = new Map()): DemandForm {
  const timed = reuse === 'amend' || reuse === 'revise'
  const form = fromDraft({
    ...demand,
    quoteDeadline: timed ? demand.quoteDeadline : '',
    clarifyDeadline: timed ? demand.clarifyDeadline : '',
    sourceId: reuse === 'rest' ? demand.id : reuse === 'revise' ? (demand.source?.id ?? null) : null,
    invited: demand.invited.map(({ companyId, companyName }) => ({ value: companyId, label: companyName })),
  })
  return {
    ...form,
    ...(reuse === 'amend' && { method: demand.method }),
    // A demand that was sent back goes on asking for the machines that it asked for.
    internalAnswers:
      reuse === 'copy'
        ? []
        : demand.internalCheck.map(({ machineId, take, reason }) => ({ machineId, take: reuse === 'revise' && take, reason })),
    items: form.items.flatMap((item, index) => {
      const line = demand.items[index]
      if (!line) return []
      const qty = reuse === 'rest' ? line.qty - (awarded.get(line.id) ?? 0) : line.qty
      if (qty <= 0) return []
      return [
        {
          ...item,
          id: reuse === 'amend' ? line.id : null,
          qty: String(qty),
          ...(reuse === 'copy' && { planStart: '', planEnd: '' }),
          priceCeiling: demand.ceilings[String(line.id)] ?? '',
        },
      ]
    }),
  }
}
