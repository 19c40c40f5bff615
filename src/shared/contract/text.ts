import type { InvoiceKind, RentUnit, ShiftMode } from '../equipment/rules.ts'
import { feeParts } from '../quote/rules.ts'
import { clauseWordsOf } from '../text/clause-words.ts'
import { unitFor } from '../text/name-in.ts'
import type { Text } from '../text/zh-cn.ts'
import { amountText } from '../amount-text.ts'
import { rateSpans, type DatedRate } from './amount.ts'
import { capitalAmount } from './capital.ts'
import { type PositionStatus, positionStatus } from './rules.ts'
import { clauseGroupNames, clauseGroups, type CompanyScale, type ContractClauses } from './clauses.ts'

/** A position as the text names it; money in fen. */
type TextLine = {
  lineNo: number
  name: string
  spec: string
  equipmentCode: string
  qty: number
  rentUnit: RentUnit
  unitPriceFen: number
  taxRate: number
  invoiceKind: InvoiceKind
  includesOperator: boolean
  includesFuel: boolean
  entryFeeFen: number
  exitFeeFen: number
  erectionFeeFen: number
  inspectionFeeFen: number
  otherFeeFen: number
  minRentDays: number
  shiftMode: ShiftMode
  /** Shifts, hours, m³, m or pieces of one machine over the planned days. */
  estQuantity: number | null
  /** Its prices and tax rates by day, where they have changed. */
  rates?: readonly DatedRate[] | undefined
  planStart: string
  planEnd: string
  status: PositionStatus
}

/** A file of an own form: the text names it by its hash, so the hash of the text covers it. */
type OwnForm = { name: string; /** Bytes. */ size: number; /** SHA-256 in hex. */ sha256: string }

/** Everything that the text says. */
export type ContractFactsForText = {
  contractCode: string
  title: string
  externalNo: string
  lesseeName: string
  deptName: string
  lessorName: string
  projectName: string
  /** Region and address, in the language of the text. */
  place: string
  planStart: string
  planEnd: string
  /** A version after the first, the day from which it holds, and the code of the amendment that made it. */
  version: { revision: number; fromDay: string; changeCode: string } | null
  amountFen: number
  netFen: number
  taxFen: number
  scaleLessee: CompanyScale | null
  scaleLessor: CompanyScale | null
  clauses: ContractClauses
  lines: readonly TextLine[]
  /** The own form of the lessee's unit, in its order. */
  forms: readonly OwnForm[]
  /** One of its machines is a lifting machine whose erection is filed. */
  buildingLifting: boolean
}

export type TextSection = { title: string; lines: string[] }

/** The text of a contract in sections, in the language of `text`. Only the Chinese one is hashed and binds. */
export function contractSections(facts: ContractFactsForText, text: Text): TextSection[] {
  const words = clauseWordsOf(text).document
  const sections = [
    {
      title: words.title,
      lines: [words.lessee(facts.lesseeName, facts.deptName), words.lessor(facts.lessorName)],
    },
    {
      title: words.head,
      lines: [
        words.name(facts.title),
        words.code(facts.contractCode, facts.externalNo),
        words.project(facts.projectName, facts.place),
        words.period(facts.planStart, facts.planEnd),
        ...(facts.version ? [words.holds(facts.version.revision, facts.version.fromDay)] : []),
        words.amount(amountText(facts.amountFen), capitalAmount(facts.amountFen), amountText(facts.netFen), amountText(facts.taxFen)),
        words.scales(scaleName(facts.scaleLessee, text), scaleName(facts.scaleLessor, text)),
        words.account,
      ],
    },
    { title: words.positions, lines: facts.lines.flatMap((line) => positionLines(line, text)) },
    {
      title: words.clauses,
      lines: [
        words.binding,
        ...(facts.lines.some(({ minRentDays, status }) => minRentDays > 0 && status !== positionStatus.cancelled) ? [words.minTerm] : []),
        ...clauseGroupNames.flatMap((group) => [
          groupLine(text.contract.clauseGroup[group]),
          ...clauseGroups[group].map((key) => clauseWordsOf(text).sentences[key](facts.clauses)),
        ]),
      ],
    },
    ...ownFormSection(facts, text),
    ...(facts.buildingLifting ? [{ title: words.safety, lines: words.safetyLines }] : []),
    { title: words.traceTitle, lines: [facts.version ? words.traceOfChange(facts.version.changeCode) : words.trace] },
  ]
  return sections
}

const groupLine = (name: string) => `【${name}】`

/** The name of the group of clauses that this line of a text begins; null for any other line. */
export const groupOfLine = (line: string): string | null => /^【(.+)】$/.exec(line)?.[1] ?? null

/** Annex 2. Where there is an annex 3 and no own form, it says so, so that no number is missing. */
function ownFormSection({ forms, buildingLifting }: ContractFactsForText, text: Text): TextSection[] {
  const words = clauseWordsOf(text).document
  if (forms.length === 0) return buildingLifting ? [{ title: words.ownForm, lines: [words.noOwnForm] }] : []
  const lines = forms.map(({ name, size, sha256 }, index) => words.ownFormFile(index + 1, name, size, sha256))
  return [{ title: words.ownForm, lines: [words.ownFormBinding(forms.length), ...lines] }]
}

/** The text as one string, line by line; its SHA-256 is what both sides confirm. */
export const canonicalText = (sections: readonly TextSection[]): string =>
  sections.flatMap(({ title, lines }) => [`# ${title}`, ...lines]).join('\n')

/** The sections of a text that was frozen (`canonicalText`). No other line of it begins with the sign of a title. */
export function sectionsOf(frozen: string): TextSection[] {
  const sections: TextSection[] = []
  for (const line of frozen.split('\n'))
    if (line.startsWith('# ')) sections.push({ title: line.slice(2), lines: [] })
    else sections.at(-1)?.lines.push(line)
  return sections
}

const scaleName = (scale: CompanyScale | null, text: Text) => (scale ? text.contract.scale[scale] : clauseWordsOf(text).document.noScale)

/** In how many shifts a machine works, and how much is estimated of it; both decide what the sum is reckoned by. */
export function workOf({ shiftMode, estQuantity, rentUnit }: Pick<TextLine, 'shiftMode' | 'estQuantity' | 'rentUnit'>, text: Text): string {
  const quantity = estQuantity === null ? '' : `${estQuantity} ${unitFor(text, estQuantity, rentUnit)}`
  return clauseWordsOf(text).document.work(text.demand.shift[shiftMode], quantity)
}

function positionLines(line: TextLine, text: Text): string[] {
  const words = clauseWordsOf(text).document
  const position = words.position(line.lineNo, line.name, line.spec, line.equipmentCode, String(line.qty))
  if (line.status === positionStatus.cancelled) return [position, words.positionCancelled]
  const fees = feeParts
    .map((part) => [part, line[`${part}FeeFen`]] as const)
    .filter(([, fen]) => fen > 0)
    .map(([part, fen]) => `${words.fee[part]} ¥${amountText(fen)}`)
  return [
    position,
    ...rateSpans(line).map(({ from, unitPriceFen, taxRate }, index) => {
      const price = words.price(
        amountText(unitPriceFen),
        text.equipment.unitOne[line.rentUnit],
        taxRate,
        text.demand.invoices[line.invoiceKind],
      )
      return index === 0 ? price : words.priceFrom(from, price)
    }),
    words.dates(line.planStart, line.planEnd, line.minRentDays),
    fees.length > 0 ? words.fees(fees.join(clauseWordsOf(text).document.separator)) : words.noFees,
    words.duties(line.includesOperator, line.includesFuel),
    `${words.indent}${workOf(line, text)}`,
  ]
}
