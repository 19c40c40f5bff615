import fc from 'fast-check'
import { addDays } from '#shared/calendar.ts'
import { contractAmount, lineAmountFen } from '#shared/contract/amount.ts'
import * as clauseRules from '#shared/contract/clauses.ts'
import { contractStatuses, positionStatus, scanStates } from '#shared/contract/rules.ts'
import { canonicalText, contractSections, sectionsOf, type ContractFactsForText } from '#shared/contract/text.ts'
import { rentUnits, taxRates } from '#shared/equipment/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import type { PrintedContract } from '#server/contract/contract-print.ts'
import { sha256 } from '#server/contract/digest.ts'

/** Letters of names and trade; the second half is rare, and the last two are not in the font of the prints. */
const letters = Array.from('成都恒岳建设机械租赁有限公司第三项目部塔吊汽车起重机ABC38垚犇骉砼㛃䶮堃喆㙍𬭎淼懿𠮷𪛖')
const text = (minLength: number, maxLength: number) => fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength, size: 'max' })
const whole = (min: number, max: number) => fc.integer({ min, max })
const percent = whole(0, 100)
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null })
const day = whole(0, 800).map((days) => addDays('2026-01-01', days))

const stopRule = fc.record({ freeDays: whole(0, 60), rate: percent })

/** Clauses within the limits of `ClausesInput`. */
const randomClauses: fc.Arbitrary<clauseRules.ContractClauses> = fc.record({
  startRule: fc.constantFrom(...clauseRules.startRules),
  acceptHours: whole(4, 72),
  endRule: fc.constantFrom(...clauseRules.endRules),
  noticeDays: whole(0, 30),
  dayCount: fc.constantFrom(...clauseRules.dayCounts),
  cutDay: whole(1, 28),
  partMonth: fc.constantFrom(...clauseRules.partMonths),
  deductDay: fc.constantFrom(...clauseRules.deductDays),
  faultHours: whole(0, 240),
  dayHours: whole(6, 12),
  hourCap: orNull(whole(100, 720)),
  overFactor: whole(100, 300),
  shiftHours: whole(6, 12),
  shiftRound: fc.constantFrom(...clauseRules.shiftRounds),
  standbyRate: percent,
  weatherRate: percent,
  stopRules: fc.record({ spring: stopRule, owner: stopRule, lessee: stopRule, weather: stopRule, government: stopRule, fault: stopRule }),
  stopNotice: whole(0, 15),
  minUnits: orNull(whole(1, 9999)),
  minPerDay: orNull(whole(1, 9999)),
  swapDays: whole(1, 30),
  afterEnd: whole(100, 200),
  fuelPriceFen: orNull(whole(1, 100_000)),
  payRatio: percent,
  payDays: whole(0, 180),
  restAt: fc.constantFrom(...clauseRules.restAts),
  restDays: whole(0, 180),
  nonCash: orNull(fc.record({ share: whole(1, 100), months: whole(1, 12) })),
  advance: whole(0, 50),
  recoverAt: whole(10, 100),
  bond: orNull(fc.record({ share: whole(1, 10), kind: fc.constantFrom(...clauseRules.bondKinds) })),
  retention: whole(0, 5),
  retentionDays: whole(0, 365),
  depositFen: whole(0, 99_999_999),
  depositDays: whole(1, 60),
  invoiceFirst: fc.boolean(),
  taxChange: fc.constantFrom(...clauseRules.taxChanges),
  answerDays: whole(3, 15),
  silentClock: fc.boolean(),
  lateRate: orNull(whole(1, 3650)),
  entryPenalty: percent,
  quitPenalty: percent,
  outRatio: whole(0, 30),
  logRule: fc.constantFrom(...clauseRules.logRules),
  venue: fc.record({ kind: fc.constantFrom(...clauseRules.venueKinds), name: text(1, 60) }),
  extras: fc.array(text(1, 500), { maxLength: 20 }),
})

const fee = fc.oneof(fc.constant(0), whole(1, 9_999_999))
const position = fc.record({
  name: text(1, 60),
  spec: text(0, 120),
  equipmentCode: whole(1, 999_999).map((no) => `SB${String(no).padStart(8, '0')}`),
  qty: whole(1, 99),
  rentUnit: fc.constantFrom(...rentUnits),
  unitPriceFen: whole(1, 99_999_999),
  taxRate: fc.constantFrom(...taxRates),
  invoiceKind: fc.constantFrom('special' as const, 'plain' as const),
  includesOperator: fc.boolean(),
  includesFuel: fc.boolean(),
  entryFeeFen: fee,
  exitFeeFen: fee,
  erectionFeeFen: fee,
  inspectionFeeFen: fee,
  otherFeeFen: fee,
  minRentDays: whole(0, 365),
  shiftMode: fc.constantFrom('single' as const, 'double' as const),
  estQuantity: orNull(whole(1, 9999)),
  planStart: day,
  planDays: whole(1, 700),
  status: fc.constantFrom(positionStatus.waiting, positionStatus.onSite, positionStatus.cancelled),
})

/** A contract as it is printed, and the facts of its text. `positions`: how many it has. */
export const randomContract = (positions: {
  min: number
  max: number
}): fc.Arbitrary<{ facts: ContractFactsForText; printed: PrintedContract }> =>
  fc
    .record({
      no: whole(1, 9999),
      title: text(4, 60),
      externalNo: text(0, 40),
      lesseeName: text(4, 40),
      deptName: text(2, 30),
      lessorName: text(4, 40),
      projectName: text(2, 40),
      place: text(2, 200),
      scaleLessee: orNull(fc.constantFrom(...clauseRules.companyScales)),
      scaleLessor: orNull(fc.constantFrom(...clauseRules.companyScales)),
      buildingLifting: fc.boolean(),
      forms: fc.array(
        fc.record({
          name: text(1, 40),
          size: whole(1, 20_000_000),
          sha256: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 }),
        }),
        { maxLength: 3 },
      ),
      status: fc.constantFrom(...contractStatuses),
      scanState: fc.constantFrom(...scanStates),
      needsScan: fc.boolean(),
      revision: whole(1, 9),
      clauses: randomClauses,
      positions: fc.array(position, { minLength: positions.min, maxLength: positions.max, size: 'max' }),
    })
    .map(({ no, status, scanState, needsScan, revision, positions: drawn, ...given }) => {
      const lines = drawn.map(({ planDays, ...line }, at) => ({
        ...line,
        lineNo: at + 1,
        planEnd: addDays(line.planStart, planDays),
      }))
      const held = lines.filter((line) => line.status !== positionStatus.cancelled)
      const facts: ContractFactsForText = {
        ...given,
        contractCode: `HT20261123${String(no).padStart(4, '0')}`,
        version: null,
        ...contractAmount(held),
        planStart: lines.map(({ planStart }) => planStart).toSorted()[0] ?? '',
        planEnd:
          lines
            .map(({ planEnd }) => planEnd)
            .toSorted()
            .at(-1) ?? '',
        lines,
      }
      const frozen = canonicalText(contractSections(facts, zhCn))
      const printed: PrintedContract = {
        contractCode: facts.contractCode,
        title: facts.title,
        revision,
        status,
        scanState,
        scanRevision: revision,
        needsScan,
        confirmedAt: '2026-11-23 10:00:00',
        amount: facts.amountFen,
        bankName: '中国工商银行成都分行',
        bankAccount: '6222000000000000123',
        endReason: '',
        ending: null,
        lessee: { companyName: facts.lesseeName },
        lessor: { companyName: facts.lessorName },
        lines: lines.map(({ unitPriceFen, entryFeeFen, exitFeeFen, erectionFeeFen, inspectionFeeFen, otherFeeFen, ...line }, at) => ({
          ...line,
          unitPrice: unitPriceFen,
          entryFee: entryFeeFen,
          exitFee: exitFeeFen,
          erectionFee: erectionFeeFen,
          inspectionFee: inspectionFeeFen,
          otherFee: otherFeeFen,
          rates: [],
          amount: lineAmountFen(
            lines[at] ?? { ...line, unitPriceFen, entryFeeFen, exitFeeFen, erectionFeeFen, inspectionFeeFen, otherFeeFen },
          ),
        })),
        sections: sectionsOf(frozen),
        sectionText: zhCn,
        printNo: 12,
        textHash: sha256(frozen),
        confirmations: [
          {
            at: '2026-11-22 09:30:00',
            side: 'lessee',
            company: facts.lesseeName,
            who: '王堃',
            move: 'send',
            code: '',
            hash: sha256(frozen),
          },
          {
            at: '2026-11-23 10:00:00',
            side: 'lessor',
            company: facts.lessorName,
            who: null,
            move: 'confirm',
            code: '',
            hash: sha256(frozen),
          },
        ],
      }
      return { facts, printed }
    })
