import type { z } from 'zod'
import type { Category } from '#shared/category/contract.ts'
import type { FieldProblem } from '#shared/endpoint.ts'
import { addEquipment, type editEquipment, type OwnMachine } from '#shared/equipment/own.ts'
import {
  changeStatus,
  documentKinds,
  equipmentAudit,
  rentStatus,
  shelfStatus,
  type DocumentKind,
  type RentUnit,
} from '#shared/equipment/rules.ts'
import { DocumentInput, equipmentProblems, isMissingAssessment, PriceInput, type MachineFacts } from '#shared/equipment/upload.ts'
import type { CallForm } from '../../app/call-form.ts'
import { openForm, type FormValue } from '../../app/form-values.ts'

type PriceForm = FormValue<z.input<typeof PriceInput>> & { negotiable: boolean }
export type MachineDocumentForm = Omit<FormValue<z.input<typeof DocumentInput>>, 'kind'> & { mime: string }

/** The fields of a machine. */
export type MachineForm = Omit<FormValue<z.input<typeof addEquipment.body>>, 'prices' | 'papers'> & {
  prices: PriceForm[]
  papers: Partial<Record<DocumentKind, MachineDocumentForm>>
}

/** The input of adding a machine or of editing one. */
type MachineBody = z.input<typeof addEquipment.body> | z.input<typeof editEquipment.body>
export type MachineFormState = CallForm<MachineForm, MachineBody>

/** Where a machine stands. */
export type Yard = Pick<OwnMachine, 'provinceId' | 'cityId' | 'districtId' | 'yardAddress'>

export const newPrice = (rentUnit: RentUnit): PriceForm => openPrice({ rentUnit, minRentDays: 0 })

export const newDocument = (): MachineDocumentForm => openDocument({ mime: null })

/** A blank machine, which stands where the company's last one does. */
export function newMachine(yard?: Yard): MachineForm {
  const { papers: _, ...fields } = openForm(addEquipment.body, { rentCycles: ['month'], ...yard })
  return { ...fields, prices: [newPrice('M')], papers: {} }
}

/** Whether nothing of the machine can be edited: while it is reviewed, and once it is retired. */
export const isLockedMachine = (machine: Record<'auditStatus' | 'rentStatus', string> | null): boolean =>
  machine?.auditStatus === equipmentAudit.submitted || machine?.rentStatus === rentStatus.retired

/** Whether its lessor may put the machine on the shelf, as far as its list shows. */
export const mayGoOnShelf = (machine: Record<'auditStatus' | 'rentStatus' | 'shelfStatus', string>): boolean =>
  machine.auditStatus === equipmentAudit.passed && machine.rentStatus !== rentStatus.retired && machine.shelfStatus === shelfStatus.off

export function fromMachine(machine: OwnMachine): MachineForm {
  const { papers: _, ...fields } = openForm(addEquipment.body, { ...machine, imageIds: machine.images })
  return {
    ...fields,
    prices:
      machine.prices.length > 0
        ? machine.prices.map((price) => ({ ...openPrice(price), negotiable: price.price === null }))
        : [newPrice('M')],
    papers: Object.fromEntries(machine.papers.map((paper) => [paper.kind, openDocument(paper)])),
  }
}

/** Opens a price. A minimum of zero is an empty field. */
const openPrice = (price: Partial<OwnMachine['prices'][number]>): PriceForm => ({
  ...openForm(PriceInput, price),
  minRentDays: price.minRentDays ? String(price.minRentDays) : '',
  negotiable: false,
})

function openDocument({ mime, ...paper }: Partial<OwnMachine['papers'][number]>): MachineDocumentForm {
  const { kind: _, ...fields } = openForm(DocumentInput, paper)
  return { ...fields, mime: mime ?? '' }
}

/** Builds the input of the contract: the parameters of the category only, and a name made of brand, model and category. */
export function machineInputOf({ prices, papers, ...form }: MachineForm, category: Category | undefined) {
  const { brand, model, specs, isLot, totalQty } = form
  return {
    ...form,
    // Whoever leaves out brand and model as well is told of these, not of the name that is made of them.
    name: form.name.trim() || `${brand} ${model} ${category?.alias[0] ?? category?.name ?? ''}`.trim().slice(0, 60).padEnd(2, '-'),
    specs: specsOf(specs, category),
    totalQty: isLot ? totalQty || '0' : '1',
    // An empty price is an error unless it is negotiable; a draft goes without it.
    prices: prices
      .filter(isSentBy(form))
      .map(({ negotiable, price, ...rest }) => ({ ...rest, price: negotiable ? null : price || undefined })),
    papers: kindsOf(papers).map((kind) => ({ ...papers[kind], kind })),
  }
}

const isSentBy =
  ({ submit }: Pick<MachineForm, 'submit'>) =>
  ({ negotiable, price }: PriceForm) =>
    submit || negotiable || price !== ''

function specsOf(specs: MachineForm['specs'], category: Category | undefined): Record<string, string | number> {
  return Object.fromEntries(
    (category?.params ?? []).flatMap(({ key, type }) => {
      const value = specs[key]?.trim() ?? ''
      if (value === '') return []
      return [[key, type === 'number' ? Number(value) : value]]
    }),
  )
}

/** What the rules of the category read in a form that may be half typed. */
function factsOf(form: MachineForm, category: Category | undefined): MachineFacts {
  return {
    categoryId: form.categoryId,
    fatherCategoryId: form.fatherCategoryId,
    specs: specsOf(form.specs, category),
    outFactoryDate: form.outFactoryDate || null,
    factoryNo: form.factoryNo.trim() || null,
    emissionStage: form.emissionStage,
    envCode: form.envCode.trim() || null,
    plateNo: form.plateNo.trim() || null,
    vin: form.vin.trim() || null,
    registrationNo: form.registrationNo.trim(),
    filingNo: form.filingNo.trim(),
    imageIds: form.imageIds,
    prices: form.prices,
    papers: kindsOf(form.papers).map((kind) => {
      const { fileId = '', validTo = '' } = form.papers[kind] ?? {}
      return { kind, fileId: fileId || null, validTo: validTo || null }
    }),
  }
}

/**
 * What the rules of the category find in the form. Documents of a requested change that waits count as well, and only the server knows them, so it
 * checks the documents then. It also asks a passed machine for the assessment that is due by age, which an edit without a change of key fields may lack.
 */
export function formProblems(
  form: MachineForm,
  category: Category | undefined,
  machine: Pick<OwnMachine, 'auditStatus' | 'change'> | null,
  today: string,
): FieldProblem[] {
  const passed = machine?.auditStatus === equipmentAudit.passed
  const found = equipmentProblems(factsOf(form, category), category, form.submit || passed, today)
  const problems = passed ? found.filter((problem) => !isMissingAssessment(problem)) : found
  return machine?.change?.status === changeStatus.waiting ? problems.filter(({ path }) => path[0] !== 'papers') : problems
}

/** Lists the documents that have a value, in the order in which they are sent. */
export const kindsOf = (papers: MachineForm['papers']): DocumentKind[] => documentKinds.filter((kind) => papers[kind] !== undefined)

/** Maps a path of the wire, where documents are a list and a draft leaves out empty prices, to the name of the field. */
export function nameOfMachineField(path: string, { papers, prices, submit }: MachineForm): string {
  const sent = prices.map(isSentBy({ submit })).flatMap((isSent, at) => (isSent ? [at] : []))
  return path
    .replace(/^papers\.(\d+)\b.*/, (_, index: string) => `papers.${kindsOf(papers)[Number(index)] ?? index}`)
    .replace(/^prices\.(\d+)\b/, (_, index: string) => `prices.${sent[Number(index)] ?? index}`)
}
