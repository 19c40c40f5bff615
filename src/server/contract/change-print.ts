import { amountText } from '#shared/amount-text.ts'
import { addedOf, priceUnder } from '#shared/contract/change-terms.ts'
import type { AddedPosition } from '#shared/contract/direct.ts'
import { capitalAmount } from '#shared/contract/capital.ts'
import { clauseKeys, type ContractClauses } from '#shared/contract/clauses.ts'
import type { StoredChange } from '#shared/contract/changes.ts'
import { workOf } from '#shared/contract/text.ts'
import {
  changesSum,
  changeStatus,
  otherSide,
  positionStatus,
  type ChangeKind,
  type ChangeStatus,
  type ContractSide,
} from '#shared/contract/rules.ts'
import { printedChangeStatusOf } from '#shared/contract/status-text.ts'
import { feeParts } from '#shared/quote/rules.ts'
import { toMinute } from '#shared/calendar.ts'
import { amendmentWordsOf } from '#shared/text/amendment-words.ts'
import { clauseWordsOf } from '#shared/text/clause-words.ts'
import { printWordsOf, type PrintWords } from '#shared/text/print-words.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { nameIn, unitFor } from '#shared/text/name-in.ts'
import type { Cell, Fact, Print } from '../pdf/print.ts'
import { confirmationBlocks, factOf, frameOf, penaltyOf, signatures, type Confirmation, type Making } from './contract-print.ts'
import type { findPositions } from './text.ts'

type Line = Pick<Awaited<ReturnType<typeof findPositions>>[number], 'id' | 'lineNo' | 'name' | 'rentUnit'>

type PrintedChange = {
  changeCode: string
  kind: ChangeKind
  /** That proposed it. */
  side: ContractSide
  status: ChangeStatus
  fromDay: string
  reason: string
  answer: string
  effectiveAt: string | null
  textHash: string | null
  input: StoredChange
  accountAsRead(account: string): string
  /** The clauses of the version that it changes. */
  clausesBefore: ContractClauses
  contractCode: string
  title: string
  lesseeName: string
  deptName: string
  lessorName: string
  /** Names in the language of the reader. */
  lines: readonly Line[]
  confirmations: readonly Confirmation[]
}

/** The print of an amendment: what held, what is to hold, the sums, who confirmed it, and room for the seals. */
export function changePrint(change: PrintedChange, making: Making): Print {
  const { text } = making
  const words = printWordsOf(text)
  const { change: own } = words
  const { document } = clauseWordsOf(text)
  const rows = changedRows(change, text)
  return {
    ...frameOf(making),
    title: `${own.title} ${change.changeCode}`,
    header: { left: `${making.site} · ${own.title}`, right: `${change.changeCode} · ${change.contractCode}` },
    footer: { left: change.textHash === null ? '' : own.hash(change.textHash), pages: words.pages },
    watermark: watermarkOf(change.status, words),
    blocks: [
      {
        kind: 'title',
        text: own.title,
        lines: [`${change.changeCode} · ${printedChangeStatusOf(text, change)}`, own.of(change.contractCode, change.title)],
        qr: { address: making.address, label: words.scan },
      },
      {
        kind: 'facts',
        rows: [document.lessee(change.lesseeName, change.deptName), document.lessor(change.lessorName)].map((line) => factOf(line)),
      },
      { kind: 'heading', text: own.changes },
      { kind: 'facts', rows: factsOf(change, text) },
      ...(rows.length > 0
        ? [
            {
              kind: 'table' as const,
              title: '',
              columns: [
                { label: own.columns.what, width: 120 },
                { label: own.columns.before, width: 'rest' as const },
                { label: own.columns.after, width: 'rest' as const },
              ],
              rows,
            },
          ]
        : []),
      ...(changesSum(change.kind)
        ? [
            { kind: 'heading' as const, text: own.amounts },
            { kind: 'facts' as const, rows: amountsOf(change.input, words) },
          ]
        : []),
      { kind: 'paragraph', text: own.rest },
      signatures(
        {
          above: [
            ...confirmationBlocks(
              change.confirmations.map((one) => ({ ...one, code: '' })),
              text,
            ),
            ...(change.status === changeStatus.sent
              ? [{ kind: 'paragraph' as const, text: own.pending[otherSide(change.side)], tone: 'small' as const }]
              : []),
            { kind: 'paragraph', text: words.made(making.site, toMinute(making.now)), tone: 'small' },
          ],
          of: `${own.title} ${change.changeCode}`,
          companies: { lessee: change.lesseeName, lessor: change.lessorName },
        },
        text,
      ),
    ],
  }
}

function watermarkOf(status: ChangeStatus, { change: { watermark }, watermark: { draft } }: PrintWords): string | null {
  const marks: Partial<Record<ChangeStatus, string>> = {
    [changeStatus.draft]: draft,
    [changeStatus.sent]: watermark.sent,
    [changeStatus.refused]: watermark.refused,
    [changeStatus.withdrawn]: watermark.withdrawn,
    [changeStatus.stopped]: watermark.stopped,
  }
  return marks[status] ?? null
}

function factsOf(change: PrintedChange, text: Text): Fact[] {
  const {
    kind,
    reason,
    answer,
    effectiveAt,
    input: { terms },
    accountAsRead,
  } = change
  const { change: own } = printWordsOf(text)
  const facts: [label: string, value: string][] = [
    [own.kind, text.contract.changeKind[kind]],
    ...dayFact(change, text),
    [own.reason, reason],
    [own.lastDay, terms.kind === 'terminate' ? terms.lastDay : ''],
    [own.penalty, terms.kind === 'terminate' ? penaltyOf(terms.penalty, text) : ''],
    [own.account, terms.kind === 'account' ? `${terms.bankName} ${accountAsRead(terms.bankAccount)}` : ''],
    [own.holdsFrom, effectiveAt ?? ''],
    [answerLabel(change, text), answer],
  ]
  return facts.filter(([, value]) => value !== '').map(([label, value]) => ({ label, value }))
}

/** The day of the paper: a bank account holds from its confirmation on, and an early end has its last day instead. */
function dayFact({ kind, fromDay }: PrintedChange, text: Text): [label: string, value: string][] {
  if (kind === 'terminate') return []
  return [[kind === 'account' ? amendmentWordsOf(text).dated : printWordsOf(text).change.from, fromDay]]
}

/** Whose words the answer is depends on how the amendment ended. */
function answerLabel({ status, side }: PrintedChange, text: Text): string {
  const words = amendmentWordsOf(text)
  if (status === changeStatus.withdrawn) return words.recalledWhy
  return status === changeStatus.stopped ? words.stoppedWhy : printWordsOf(text).change.answer[otherSide(side)]
}

/** What changes, line by line: positions with their days, prices or rates, or the sentences of clauses. */
function changedRows({ input: { terms, before, quantities = [], added = [] }, clausesBefore, lines }: PrintedChange, text: Text): Cell[][] {
  const { position } = printWordsOf(text).change
  const nameOf = (lineId: number) => {
    const line = lines.find(({ id }) => id === lineId)
    return position(line?.lineNo ?? 0, line?.name ?? '')
  }
  if (terms.kind === 'clause') {
    const { sentences } = clauseWordsOf(text)
    return clauseKeys
      .map((key): [string, string, string] => [text.contract.clause[key], sentences[key](clausesBefore), sentences[key](terms.clauses)])
      .filter(([, old, next]) => old !== next)
  }
  if (terms.kind === 'quantity') {
    const state = text.contract.position
    const gone = terms.lineIds.map((id) => [nameOf(id), state[positionStatus.waiting], state[positionStatus.cancelled]])
    const more = addedOf(terms).map((one, index) => [addedName(added[index], text), '–', addedTerms(one, text)])
    return [...gone, ...more]
  }
  if (!('lines' in terms)) return []
  return terms.lines.map(({ lineId, value }) => {
    const old = before.find((one) => one.lineId === lineId)
    const rentUnit = lines.find(({ id }) => id === lineId)?.rentUnit ?? 'M'
    const quantity = quantities.find((one) => one.lineId === lineId)
    const estimated = (amount: number | undefined) =>
      amount === undefined ? [] : [text.demand.estQuantity(String(amount), unitFor(text, amount, rentUnit))]
    const priced = (unitPriceFen: number | undefined) =>
      unitPriceFen === undefined ? [] : [shown(unitPriceFen, 'price', { rentUnit, text })]
    const shownBy = (one: string | number) => shown(one, terms.kind, { rentUnit, text })
    return [
      nameOf(lineId),
      [shownBy(old?.value ?? ''), ...priced(old?.unitPriceFen), ...estimated(quantity?.before)],
      [shownBy(value), ...priced(priceUnder(terms, lineId)), ...estimated(quantity?.after)],
    ]
  })
}

function addedName(names: NonNullable<StoredChange['added']>[number] | undefined, text: Text): string {
  const { position } = printWordsOf(text).change
  if (!names) return ''
  return `${position(names.lineNo, nameIn(text, names.name, names.nameEn))} ${names.equipmentCode}`
}

/** What is agreed of a further position: how many, from when to when and for how long at least, at which rent and invoice, with which duties and fees. */
function addedTerms(one: AddedPosition, text: Text): string {
  const words = printWordsOf(text)
  const { document } = clauseWordsOf(text)
  const fees = feeParts.filter((fee) => one[`${fee}Fee`] > 0).map((fee) => `${document.fee[fee]} ${amountText(one[`${fee}Fee`])}`)
  return [
    `×${one.qty}`,
    `${one.planStart} ${words.until(one.planEnd)}`,
    ...(one.minRentDays > 0 ? [text.contract.pages.minDays(one.minRentDays)] : []),
    words.eachPerUnit(amountText(one.unitPrice), one.rentUnit),
    `${one.taxRate}%`,
    text.demand.invoices[one.invoiceKind],
    one.includesOperator ? text.equipment.withOperator : text.equipment.bare,
    text.equipment.fuelBy[one.includesFuel ? 'lessor' : 'lessee'],
    workOf(one, text),
    ...(fees.length > 0 ? [document.fees(fees.join(document.separator)).trim()] : []),
  ].join(document.separator)
}

function shown(value: string | number, kind: ChangeKind, { rentUnit, text }: { rentUnit: Line['rentUnit']; text: Text }): string {
  const words = printWordsOf(text)
  if (kind === 'price') return words.eachPerUnit(amountText(Number(value)), rentUnit)
  return kind === 'tax' ? `${value}%` : words.until(String(value))
}

const amountsOf = ({ amountBeforeFen, amountAfterFen }: StoredChange, { change: own, sum }: PrintWords): Fact[] => [
  { label: own.before, value: sum(amountText(amountBeforeFen), capitalAmount(amountBeforeFen)) },
  { label: own.after, value: sum(amountText(amountAfterFen), capitalAmount(amountAfterFen)), strong: true },
]
