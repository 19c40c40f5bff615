import { useQuery } from '@tanstack/react-query'
import type { CertificationKind } from '#shared/certification/rules.ts'
import { projectTypes } from '#shared/demand/rules.ts'
import { getRegionTree, type RegionNode } from '#shared/region/contract.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { comma } from '#shared/text/punctuation.ts'
import { call } from '../app/api.ts'
import { named, number } from '../app/format.ts'
import { useCategories } from '../category/category-tree.ts'
import { useText } from '../app/text.tsx'

export type FormValues = Record<string, unknown>

type FieldKind =
  | 'text'
  | 'tel'
  | 'number'
  | 'date'
  | 'area'
  | 'choice'
  | 'flag'
  | 'place'
  | 'categories'
  | 'provinces'
  | 'parent'
  | 'company'

export type FieldSpec = { name: string; kind: FieldKind; required?: boolean; choices?: (text: Text) => Record<string, string> }

type Section = { step: 'company' | 'people' | 'business' | 'project'; fields: readonly FieldSpec[] }

const entity: FieldSpec[] = [
  { name: 'enterpriseName', kind: 'text', required: true },
  { name: 'creditCode', kind: 'text', required: true },
  { name: 'entityType', kind: 'choice', required: true, choices: (text) => text.certification.entityTypes },
  { name: 'scaleType', kind: 'choice', required: true, choices: (text) => text.certification.scaleTypes },
  { name: 'taxpayerType', kind: 'choice', required: true, choices: (text) => text.certification.taxpayerTypes },
  { name: 'regCapital', kind: 'number' },
  { name: 'establishDate', kind: 'date' },
  { name: 'licenseValidTo', kind: 'date' },
  { name: 'businessScope', kind: 'area' },
]
const people: FieldSpec[] = [
  { name: 'legalPerson', kind: 'text', required: true },
  { name: 'legalPersonPhone', kind: 'tel', required: true },
  { name: 'contactName', kind: 'text', required: true },
  { name: 'contactPhone', kind: 'tel', required: true },
  { name: 'provinceId', kind: 'place', required: true },
  { name: 'address', kind: 'text', required: true },
]

/** The fields of each kind, in the order in which the form, the page and the review show them. */
export const sectionsOf: Record<CertificationKind, readonly Section[]> = {
  rentout: [
    { step: 'company', fields: entity },
    { step: 'people', fields: people },
    {
      step: 'business',
      fields: [
        { name: 'mainCategories', kind: 'categories', required: true },
        { name: 'serviceRegions', kind: 'provinces', required: true },
        { name: 'fleetSize', kind: 'number', required: true },
        { name: 'insured', kind: 'flag' },
        { name: 'ownErection', kind: 'flag' },
      ],
    },
  ],
  lease: [
    { step: 'company', fields: entity },
    { step: 'people', fields: people },
    {
      step: 'business',
      fields: [
        { name: 'groupName', kind: 'text' },
        { name: 'parentCompany', kind: 'company' },
        { name: 'invoiceBank', kind: 'text' },
        { name: 'invoiceAccount', kind: 'text' },
        { name: 'invoicePhone', kind: 'tel' },
      ],
    },
  ],
  dept: [
    {
      step: 'project',
      fields: [
        { name: 'parentDeptId', kind: 'parent', required: true },
        { name: 'projectName', kind: 'text', required: true },
        { name: 'projectShortName', kind: 'text', required: true },
        {
          name: 'projectType',
          kind: 'choice',
          required: true,
          choices: (text) => Object.fromEntries(projectTypes.map((type) => [type, text.demand.projectType[type]])),
        },
        { name: 'contractAmount', kind: 'number' },
        { name: 'startDate', kind: 'date', required: true },
        { name: 'plannedEndDate', kind: 'date', required: true },
      ],
    },
    {
      step: 'people',
      fields: [
        { name: 'applicantName', kind: 'text', required: true },
        { name: 'manager', kind: 'text', required: true },
        { name: 'managerPhone', kind: 'tel', required: true },
        { name: 'provinceId', kind: 'place', required: true },
        { name: 'address', kind: 'text', required: true },
        { name: 'lowEmissionZone', kind: 'flag' },
      ],
    },
  ],
}

/** Whether the value is a code of many characters, which takes the whole width of a phone. */
const isCode = ({ name }: FieldSpec) => ['creditCode', 'invoiceAccount'].includes(name)

/** Whether the value is a code, a number or a date, which stays whole. */
const isDigits = (spec: FieldSpec) => isCode(spec) || ['tel', 'number', 'date'].includes(spec.kind)

/** Lists the names of the fields that one control edits. */
export function namesOf({ name, kind }: FieldSpec): string[] {
  if (kind === 'place') return ['provinceId', 'cityId', 'districtId']
  if (kind === 'parent') return ['parentDeptId', 'parentName', 'parentCreditCode']
  return [name]
}

/** Words a stored field: regions and categories by their names instead of their codes. */
export function useFieldWords(): (spec: FieldSpec, form: FormValues, parentName?: string) => string {
  const text = useText()
  const categories = useCategories()
  const regions = useQuery({
    queryKey: [getRegionTree.url, 'whole'],
    queryFn: async () => {
      const found = new Map<number, RegionNode>()
      const walk = (nodes: readonly RegionNode[]) => {
        for (const node of nodes) {
          found.set(node.code, node)
          walk(node.children ?? [])
        }
      }
      walk(await call(getRegionTree, { query: {} }))
      return found
    },
    staleTime: Infinity,
  })
  const region = (code: unknown) => {
    const found = regions.data?.get(Number(code))
    return found ? named(text, found) : regions.isError ? String(code ?? '') : ''
  }
  const { none, yes, no } = text.site.common
  return (spec, form, parentName) => {
    const value = form[spec.name]
    switch (spec.kind) {
      case 'place': {
        const names = [...new Set([form.provinceId, form.cityId, form.districtId].map(region).filter(Boolean))]
        return (text.locale === 'zh-CN' ? names.join(' ') : names.toReversed().join(', ')) || none
      }
      case 'provinces':
        return (Array.isArray(value) ? value : []).map(region).join(comma(text)) || none
      case 'categories':
        return (
          (Array.isArray(value) ? value : [])
            .map((id) => categories.get(Number(id)))
            .map((category) => (category ? named(text, category) : ''))
            .join(comma(text)) || none
        )
      case 'flag':
        return value ? yes : no
      case 'choice':
        return spec.choices?.(text)[String(value)] ?? none
      case 'parent':
        return parentName || [form.parentName, form.parentCreditCode].filter(Boolean).join(' ') || none
      default:
        if (spec.name === 'licenseValidTo' && !value) return text.certification.forever
        if (value === null || value === undefined || value === '') return none
        // Amounts of 10,000 yuan may name each fen.
        return spec.kind === 'number' && Number.isFinite(Number(value)) ? number(Number(value), 6) : String(value)
    }
  }
}

/** Shows every field of a certification with its value, by section. With `onEdit` each section has a button that opens its step. */
export function CertificationFacts({
  kind,
  form,
  parentName,
  onEdit,
}: {
  kind: CertificationKind
  form: FormValues
  parentName?: string
  onEdit?: (step: number) => void
}) {
  const text = useText()
  const { certification } = text
  const words = useFieldWords()
  return (
    <>
      {sectionsOf[kind].map(({ step, fields }, index) => (
        <section key={step} className="panel stack gap-8">
          <div className="row between">
            <h2>{certification.steps[step]}</h2>
            {onEdit && (
              <button type="button" className="link" onClick={() => onEdit(index)}>
                {text.site.common.edit}
                <span className="visually-hidden">: {certification.steps[step]}</span>
              </button>
            )}
          </div>
          <dl className="facts">
            {fields.map((spec) => (
              <div key={spec.name} className={isCode(spec) ? 'whole' : undefined}>
                <dt>{certification.fields[spec.name]}</dt>
                <dd className={isDigits(spec) ? 'num' : undefined}>{words(spec, form, parentName)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  )
}
