import { amountText } from '#shared/amount-text.ts'
import { rateSpans } from '#shared/contract/amount.ts'
import { capitalAmount } from '#shared/contract/capital.ts'
import {
  type ContractSide,
  contractSides,
  contractStatus,
  type ContractStatus,
  positionStatus,
  scanSaid,
  scanState,
} from '#shared/contract/rules.ts'
import { positionStatusOf, printedStatusOf } from '#shared/contract/status-text.ts'
import { groupOfLine, workOf, type TextSection } from '#shared/contract/text.ts'
import { feeParts } from '#shared/quote/rules.ts'
import { toMinute } from '#shared/calendar.ts'
import { clauseWordsOf } from '#shared/text/clause-words.ts'
import { printWordsOf, type PrintWords } from '#shared/text/print-words.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Block, Cell, Fact, Item, Print, Table } from '../pdf/print.ts'
import type { getContract } from './queries.ts'

type Known = Awaited<ReturnType<typeof getContract>>
type Line = Known['lines'][number]

/** Who confirmed what and when. `who` is null where the person belongs to the other side. */
export type Confirmation = {
  at: string
  side: ContractSide
  company: string
  who: string | null
  move: keyof PrintWords['confirmed']
  /** The amendment's, where it is one. */
  code: string
  hash: string
}

type PrintedLine = Pick<
  Line,
  | 'lineNo'
  | 'name'
  | 'spec'
  | 'equipmentCode'
  | 'qty'
  | 'rentUnit'
  | 'unitPrice'
  | 'taxRate'
  | 'rates'
  | 'invoiceKind'
  | 'includesOperator'
  | 'includesFuel'
  | 'entryFee'
  | 'exitFee'
  | 'erectionFee'
  | 'inspectionFee'
  | 'otherFee'
  | 'minRentDays'
  | 'shiftMode'
  | 'estQuantity'
  | 'planStart'
  | 'planEnd'
  | 'status'
  | 'amount'
>

export type PrintedContract = Pick<
  Known,
  | 'contractCode'
  | 'title'
  | 'revision'
  | 'status'
  | 'scanState'
  | 'scanRevision'
  | 'needsScan'
  | 'confirmedAt'
  | 'amount'
  | 'bankName'
  | 'bankAccount'
  | 'endReason'
  | 'ending'
> & {
  lessee: { companyName: string }
  lessor: { companyName: string }
  /** Money in fen, names in the language of the reader. */
  lines: readonly PrintedLine[]
  sections: readonly TextSection[]
  /** The words of the language that the sections are in. */
  sectionText: Text
  textHash: string
  /** How many prints of this version were made, this one included. */
  printNo: number
  confirmations: readonly Confirmation[]
}

/** Where a print is made and for whom. */
export type Making = { text: Text; site: string; now: Date; /** Of the contract's page. */ address: string }

/**
 * The print of a contract: its text as both sides confirm it, with the positions as a table and the clauses numbered, then who confirmed it, and
 * room for the seals. Numbers of clauses are those of the print and are not hashed.
 */
export function contractPrint(contract: PrintedContract, making: Making): Print {
  const { text } = making
  const words = printWordsOf(text)
  const document = clauseWordsOf(text).document
  const [head, ...sections] = contract.sections
  const version = words.version(contract.revision)
  const note = contract.sectionText.locale === text.locale ? words.forReading : words.noReading
  return {
    ...frameOf(making),
    title: `${document.title} ${contract.contractCode}`,
    header: { left: `${making.site} · ${document.title}`, right: `${contract.contractCode} · ${version}` },
    footer: { left: words.textHash(contract.textHash), pages: `${words.pages} · ${words.printNo(contract.printNo)}` },
    watermark: watermarkOf(contract.status, words),
    blocks: [
      {
        kind: 'title',
        text: head?.title ?? document.title,
        lines: [`${contract.contractCode} · ${version} · ${printedStatusOf(text, contract.status)}`],
        qr: { address: making.address, label: words.scan },
      },
      ...(note ? [{ kind: 'paragraph', text: note, tone: 'small' } as const] : []),
      { kind: 'facts', rows: (head?.lines ?? []).map((line) => factOf(line)) },
      ...sections.flatMap((section) => sectionBlocks(section, contract, text)),
      signatures(
        {
          above: [
            ...confirmationBlocks(contract.confirmations, text),
            { kind: 'paragraph', text: words.made(making.site, toMinute(making.now)), tone: 'small' },
          ],
          of: `${document.title} ${contract.contractCode}`,
          companies: { lessee: contract.lessee.companyName, lessor: contract.lessor.companyName },
        },
        text,
      ),
    ],
  }
}

/** What all prints of contracts have in common. */
export const frameOf = ({ text, site, now }: Making) => ({
  language: text.locale === 'zh-CN' ? ('zh-CN' as const) : ('en' as const),
  author: site,
  madeAt: now.toISOString(),
  replacedNote: printWordsOf(text).replaced,
})

function watermarkOf(status: ContractStatus, { watermark }: PrintWords): string | null {
  if (status === contractStatus.draft) return watermark.draft
  if (status === contractStatus.sent) return watermark.sent
  return status === contractStatus.voided ? watermark.voided : null
}

function sectionBlocks({ title, lines }: TextSection, contract: PrintedContract, text: Text): Block[] {
  const { document } = clauseWordsOf(contract.sectionText)
  if (title === document.positions) return [positionTable(title, contract, text)]
  const heading = { kind: 'heading', text: title } as const
  if (title === document.head) return [heading, { kind: 'facts', rows: headFacts(lines, contract, text) }]
  if (title === document.clauses) return [heading, ...clauseBlocks(lines)]
  if (title === document.ownForm && lines.length > 1) return [heading, ...annexFiles(lines)]
  if (lines.length === 1) return [heading, { kind: 'paragraph', text: lines[0] ?? '' }]
  return [heading, { kind: 'items', items: lines.map((line, at) => ({ no: `${at + 1}.`, text: line })) }]
}

/** The files of annex 2, which have their own numbers. */
const annexFiles = ([binding = '', ...files]: readonly string[]): Block[] => [
  { kind: 'paragraph', text: binding },
  { kind: 'items', items: files.map((line) => ({ no: '', text: line })) },
]

/** The lines of the head as label and value, and what the contract holds beside its text. */
function headFacts(lines: readonly string[], contract: PrintedContract, text: Text): Fact[] {
  const words = printWordsOf(text)
  const amountLabel = factOf(clauseWordsOf(contract.sectionText).document.amount('', '', '', '')).label
  const facts = lines
    .map((line) => factOf(line))
    .map((fact) => ({ ...fact, label: fact.label || words.accountTerms, strong: fact.label === amountLabel }))
  const more: [label: string, value: string][] = [
    [words.account, [contract.bankName, contract.bankAccount].filter(Boolean).join(' ')],
    [words.sealedScan, scanOf(contract, text)],
    [words.endReason, contract.endReason],
    [words.change.lastDay, contract.ending?.lastDay ?? ''],
    [words.change.penalty, contract.ending ? penaltyOf(contract.ending.penalty, text) : ''],
  ]
  return [...facts, ...more.filter(([, value]) => value !== '').map(([label, value]) => ({ label, value }))]
}

/** How the scan of the printed version stands; a scan of another version says nothing of this one. */
function scanOf(contract: PrintedContract, text: Text): string {
  const isOfOther = contract.scanState !== scanState.none && (contract.scanRevision ?? contract.revision) !== contract.revision
  return contract.confirmedAt === null || isOfOther ? '' : text.contract.scan[scanSaid(contract)]
}

/** Who pays how much for an early end, in figures and in capitals, or that nobody does. */
export function penaltyOf(penalty: { amount: number; payer: ContractSide } | null | undefined, text: Text): string {
  const { change: own, sum } = printWordsOf(text)
  if (!penalty) return own.noPenalty
  return own.penaltyBy(text.contract.side[penalty.payer], sum(amountText(penalty.amount), capitalAmount(penalty.amount)))
}

/** A line such as "Title: …" as label and value. A sentence without a label stands beside an empty one. */
export function factOf(line: string): Fact {
  const [, label, value] = /^([^：:。；;]{1,60})(?:：|: )(.*)$/.exec(line) ?? []
  return label === undefined || value === undefined ? { label: '', value: line } : { label, value }
}

/** A line of the further agreements after the first, which has the number of the clause. */
const furtherAgreement = /^(?:（(?!1）)\d+）|\((?!1\))\d+\) )/

/** The clauses under the names of their groups, numbered 1.1, 1.2, … */
function clauseBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  let items: Item[] = []
  let group = 0
  let no = 0
  for (const line of lines) {
    const name = groupOfLine(line)
    if (name !== null) {
      items = []
      group++
      no = 0
      blocks.push({ kind: 'subheading', text: `${group}. ${name}` }, { kind: 'items', items })
    } else if (group === 0) blocks.push({ kind: 'paragraph', text: line })
    else if (furtherAgreement.test(line)) items.push({ no: '', text: line })
    else items.push({ no: `${group}.${++no}`, text: line })
  }
  return blocks
}

function positionTable(title: string, { lines, amount, ending }: PrintedContract, text: Text): Table {
  const words = printWordsOf(text)
  const { columns } = words
  return {
    kind: 'table',
    title,
    columns: [
      { label: columns.no, width: 22 },
      { label: columns.machine, width: 'rest' },
      { label: columns.qty, width: 30, numeric: true },
      { label: columns.price, width: 74, numeric: true },
      { label: columns.dates, width: 72 },
      { label: columns.fees, width: 72, small: true },
      { label: columns.amount, width: 66, numeric: true },
    ],
    rows: lines.map((line) => positionRow(line, ending, text)),
    total: { label: words.total(capitalAmount(amount)), value: amountText(amount) },
  }
}

function positionRow(line: PrintedLine, ending: PrintedContract['ending'], text: Text): Cell[] {
  const words = printWordsOf(text)
  const state = line.status === positionStatus.cancelled ? [positionStatusOf(text, line, ending)] : []
  // Most names begin with brand and model.
  const spec = line.name.startsWith(line.spec) ? '' : line.spec
  const fees = feeParts
    .filter((part) => line[`${part}Fee`] > 0)
    .map((part) => `${clauseWordsOf(text).document.fee[part]} ${amountText(line[`${part}Fee`])}`)
  return [
    String(line.lineNo),
    [line.name, spec, line.equipmentCode, words.duties(line.includesOperator, line.includesFuel), workOf(line, text), ...state].filter(
      Boolean,
    ),
    String(line.qty),
    pricesOf(line, text),
    [line.planStart, words.until(line.planEnd), ...(line.minRentDays > 0 ? [words.atLeast(line.minRentDays)] : [])],
    fees.length > 0 ? fees : words.none,
    amountText(line.amount),
  ]
}

/** The price with its tax, and where it has changed, the one from each day. */
function pricesOf({ unitPrice, rates, invoiceKind, rentUnit, ...line }: PrintedLine, text: Text): string[] {
  const words = printWordsOf(text)
  const dated = rates.map(({ unitPrice: unitPriceFen, ...rate }) => ({ ...rate, unitPriceFen }))
  return rateSpans({ ...line, unitPriceFen: unitPrice, rates: dated }).flatMap(({ from, unitPriceFen, taxRate }, index) => [
    ...(index > 0 ? [words.since(from)] : []),
    words.perUnit(amountText(unitPriceFen), rentUnit),
    words.taxed(taxRate, text.demand.invoices[invoiceKind]),
  ])
}

const hashLine = 32

/** Who confirmed, when, and which hash; or that nobody has. */
export function confirmationBlocks(confirmations: readonly Confirmation[], text: Text): Block[] {
  const words = printWordsOf(text)
  const columns = words.columnsOfConfirmation
  if (confirmations.length === 0)
    return [
      { kind: 'heading', text: words.confirmations },
      { kind: 'paragraph', text: words.unconfirmed },
    ]
  return [
    {
      kind: 'table',
      title: words.confirmations,
      columns: [
        { label: columns.at, width: 92 },
        { label: columns.side, width: 'rest' },
        { label: columns.what, width: 160 },
        { label: columns.who, width: 62 },
      ],
      rows: confirmations.map(({ at, side, company, who, move, code, hash }) => [
        at,
        [text.contract.side[side], company],
        [`${words.confirmed[move]}${code ? ` ${code}` : ''}`, hash.slice(0, hashLine), hash.slice(hashLine)],
        who ?? words.otherSide,
      ]),
    },
  ]
}

type Signed = { above: readonly Block[]; /** The title and code of the document. */ of: string; companies: Record<ContractSide, string> }

export function signatures({ above, of, companies }: Signed, text: Text): Block {
  const words = printWordsOf(text)
  return {
    kind: 'signatures',
    above,
    alone: words.signaturePage(of),
    sides: contractSides.map((side) => ({
      title: words.seal(text.contract.side[side], companies[side]),
      lines: [words.signer, words.signedOn],
    })),
  }
}
