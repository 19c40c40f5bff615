import { describe, expect, test } from 'vitest'
import { clauseWordsOf } from '../text/clause-words.ts'
import { en } from '../text/en.ts'
import { fieldErrors } from '../text/validation.ts'
import { zhCn } from '../text/zh-cn.ts'
import {
  clauseGroups,
  clauseKeys,
  clauseMarksOf,
  clauseProblems,
  ClausesInput,
  ClausesOut,
  clausesOut,
  defaultClauses,
  endRules,
  isDeclaredSmaller,
  isProtected,
  scaleProblems,
  scaleRules,
  startRules,
  withMachines,
  type ClauseKey,
  type WireClauses,
} from './clauses.ts'

const clauses = defaultClauses({ buildingLifting: false, rentUnits: ['M'], payment: { ratio: 70, days: 30 } })
const wire = (): WireClauses => ClausesOut.parse(clausesOut(clauses))
const facts = { smeRule: false, lprBp: 300, planStart: '2027-01-01', planEnd: '2027-04-01' }

test('every clause stands in one group of the printed table and has a name in both languages', () => {
  expect((Object.values(clauseGroups).flat() as ClauseKey[]).toSorted()).toEqual(clauseKeys.toSorted())
  for (const text of [zhCn, en]) for (const key of clauseKeys) expect(text.contract.clause[key]).not.toBe('')
})

test.each([zhCn, en as typeof zhCn])(
  'the day on which rent starts or ends has the words of its sentence in the list to choose from',
  (text) => {
    const { option } = text.contract.pages
    const { sentences } = clauseWordsOf(text)
    for (const startRule of startRules)
      expect(sentences.startRule({ ...clauses, startRule })).toContain(option.startRule[startRule].replace(/^Day/, 'day'))
    for (const endRule of endRules)
      expect(sentences.endRule({ ...clauses, endRule })).toContain(option.endRule[endRule].replace(/^Day/, 'day'))
  },
)

test('what is stored travels and comes back the same', () => {
  expect(ClausesInput.parse(wire())).toEqual(clauses)
})

test('a lifting machine is accepted jointly, within three days, and its hire ends when it is dismantled', () => {
  const lifting = defaultClauses({ buildingLifting: true, rentUnits: ['M'], payment: { ratio: 70, days: 30 } })
  expect(lifting).toMatchObject({ startRule: 'joint', acceptHours: 72, endRule: 'dismantled' })
})

test('of machines that are replaced, the clauses that were left as they were follow, and those that somebody chose stay', () => {
  const [digger, crane] = [
    { buildingLifting: false, rentUnits: ['M'] },
    { buildingLifting: true, rentUnits: ['M', 'S'] },
  ] as const
  const cranes = { startRule: 'joint', acceptHours: 72, endRule: 'dismantled', logRule: 'needed' } as const
  expect(withMachines(clauses, digger, crane)).toEqual({ ...clauses, ...cranes })
  expect(withMachines({ ...clauses, ...cranes }, crane, digger)).toEqual(clauses)
  const chosen = { ...clauses, acceptHours: 48, endRule: 'exit' } as const
  expect(withMachines(chosen, digger, crane)).toEqual({ ...chosen, startRule: 'joint', logRule: 'needed' })
})

test('work that is counted needs a log', () => {
  expect(defaultClauses({ buildingLifting: false, rentUnits: ['M', 'S'], payment: { ratio: 70, days: 30 } }).logRule).toBe('needed')
  expect(clauses.logRule).toBe('optional')
})

/** The least and the most that a clause takes; one beyond either is refused. */
const limits: Partial<Record<ClauseKey, [least: number, most: number]>> = {
  acceptHours: [4, 72],
  noticeDays: [0, 30],
  cutDay: [1, 28],
  faultHours: [0, 240],
  dayHours: [6, 12],
  hourCap: [100, 720],
  overFactor: [100, 300],
  shiftHours: [6, 12],
  standbyRate: [0, 100],
  weatherRate: [0, 100],
  stopNotice: [0, 15],
  swapDays: [1, 30],
  afterEnd: [100, 200],
  payRatio: [0, 100],
  payDays: [0, 180],
  restDays: [0, 180],
  advance: [0, 50],
  recoverAt: [10, 100],
  retention: [0, 5],
  retentionDays: [0, 365],
  depositDays: [1, 60],
  answerDays: [3, 15],
  lateRate: [1, 3650],
  entryPenalty: [0, 100],
  quitPenalty: [0, 100],
  outRatio: [0, 30],
}

test.each(Object.entries(limits))('%s takes from %s', (key, [least, most]) => {
  const takes = (value: unknown) => ClausesInput.safeParse({ ...wire(), [key]: value }).success
  expect([takes(least), takes(most), takes(least - 1), takes(most + 1), takes(least + 0.5)]).toEqual([true, true, false, false, false])
})

/** Values that a clause takes, and others that it does not. */
const choices: [ClauseKey, unknown[], unknown[]][] = [
  ['startRule', ['accept', 'arrive', 'joint'], ['now']],
  ['endRule', ['notice', 'exit', 'dismantled'], ['']],
  ['dayCount', ['both', 'head', 'tail', 'none'], ['half']],
  ['partMonth', ['thirty', 'whole'], ['days']],
  ['deductDay', ['period', 'thirty'], [30]],
  ['shiftRound', ['half', 'exact'], ['up']],
  ['restAt', ['exit', 'final'], ['never']],
  ['taxChange', ['net', 'gross'], [null]],
  ['logRule', ['needed', 'optional'], ['no']],
  ['invoiceFirst', [true, false], ['1']],
  ['silentClock', [true, false], [0]],
  ['minUnits', [null, 26, 0.5], [0, -1, 10_000]],
  ['minPerDay', [null, 1], [0]],
  ['fuelPrice', [null, '7.60', 8], [0, '7.605']],
  ['deposit', ['0', 50_000], [-1, 'x']],
  [
    'nonCash',
    [null, { share: 50, months: 6 }],
    [
      { share: 0, months: 6 },
      { share: 50, months: 13 },
    ],
  ],
  [
    'bond',
    [null, { share: 10, kind: 'letter' }],
    [
      { share: 11, kind: 'cash' },
      { share: 5, kind: 'stock' },
    ],
  ],
  [
    'venue',
    [{ kind: 'arbitration', name: '委'.repeat(60) }],
    [
      { kind: 'duel', name: '' },
      { kind: 'arbitration', name: '委'.repeat(61) },
    ],
  ],
  [
    'extras',
    [[], ['长'.repeat(500)], Array.from({ length: 20 }, () => '条')],
    [[''], ['长'.repeat(501)], Array.from({ length: 21 }, () => '条')],
  ],
  ['stopRules', [wire().stopRules], [{ ...wire().stopRules, spring: { freeDays: 61, rate: 0 } }, {}]],
]

test.each(choices)('%s takes these values and no others', (key, good, bad) => {
  const takes = (value: unknown) => ClausesInput.safeParse({ ...wire(), [key]: value }).success
  expect(good.map(takes)).toEqual(good.map(() => true))
  expect(bad.map(takes)).toEqual(bad.map(() => false))
})

test('no clause is without a test of its limits', () => {
  expect([...Object.keys(limits), ...choices.map(([key]) => key)].toSorted()).toEqual(clauseKeys.toSorted())
})

test('a draft begins with the clauses of the trade', () => {
  const half = { freeDays: 0, rate: 50 }
  expect(clauses).toEqual({
    startRule: 'accept',
    acceptHours: 24,
    endRule: 'notice',
    noticeDays: 3,
    dayCount: 'both',
    cutDay: 1,
    partMonth: 'thirty',
    deductDay: 'period',
    faultHours: 20,
    dayHours: 8,
    hourCap: null,
    overFactor: 100,
    shiftHours: 8,
    shiftRound: 'half',
    standbyRate: 50,
    weatherRate: 0,
    stopRules: {
      spring: { freeDays: 15, rate: 100 },
      owner: half,
      lessee: half,
      weather: half,
      government: half,
      fault: { freeDays: 0, rate: 0 },
    },
    stopNotice: 1,
    minUnits: null,
    minPerDay: null,
    swapDays: 3,
    afterEnd: 100,
    fuelPriceFen: null,
    payRatio: 70,
    payDays: 30,
    restAt: 'final',
    restDays: 30,
    nonCash: null,
    advance: 0,
    recoverAt: 80,
    bond: null,
    retention: 0,
    retentionDays: 0,
    depositFen: 0,
    depositDays: 15,
    invoiceFirst: true,
    taxChange: 'net',
    answerDays: 7,
    silentClock: true,
    lateRate: null,
    entryPenalty: 0,
    quitPenalty: 0,
    outRatio: 10,
    logRule: 'optional',
    venue: { kind: 'court', name: '' },
    extras: [],
  })
})

describe('the law', () => {
  const problems = (changes: object, at: object = {}) =>
    clauseProblems({ ...clauses, ...changes }, { ...facts, ...at }).map(({ rule }) => rule)

  test('protects a smaller lessor from a large lessee or an institution, and nobody else', () => {
    expect(isProtected('large', 'medium')).toBe(true)
    expect(isProtected('institution', 'micro')).toBe(true)
    expect(isProtected('large', 'large')).toBe(false)
    expect(isProtected('medium', 'small')).toBe(false)
    expect(isProtected(null, 'small')).toBe(false)
  })

  test('a smaller firm is paid within sixty days (art. 9)', () => {
    expect(problems({ payDays: 60, restDays: 60 }, { smeRule: true })).toEqual([])
    expect(problems({ payDays: 61, restDays: 61 }, { smeRule: true })).toEqual(['pay_days_sme', 'rest_days_sme'])
    expect(problems({ payDays: 180, restDays: 180 })).toEqual([])
    expect(zhCn.contract.rule.pay_days_sme).toContain('第九条')
  })

  test('a payment to a smaller firm may not wait for a third party (art. 9); between others that is marked', () => {
    const extras = ['设备须喷涂项目编号', '业主付款后 7 日内支付']
    expect(problems({ extras }, { smeRule: true })).toEqual(['back_to_back'])
    expect(problems({ extras: ['业主验收合格后 7 日内支付'] }, { smeRule: true })).toEqual([])
    expect(problems({ extras })).toEqual([])
    expect(clauseMarksOf({ ...clauses, extras }, facts)).toEqual([{ key: 'extras', mark: 'back_to_back_marked' }])
    for (const text of [zhCn, en]) expect(text.contract.rule.back_to_back).toMatch(/第九条|art\. 9/)
  })

  test('a bond above its bound is refused, and so is a retention; article 13 is cited for the kinds of bonds alone, because it names no shares', () => {
    const saidOf = (changes: object) => {
      const { error } = ClausesInput.safeParse({ ...wire(), ...changes })
      return [zhCn, en].flatMap((text) => fieldErrors(text, error?.issues ?? []).map(({ message }) => message))
    }
    expect(saidOf({ bond: { share: 11, kind: 'cash' } })).toEqual([zhCn.rule.codes.bond_unlawful, en.rule.codes.bond_unlawful])
    expect(zhCn.rule.codes.bond_unlawful).toMatch(/10%；依.*第十三条/)
    expect(saidOf({ retention: 6 })).toEqual([zhCn.rule.codes.retention_unlawful, en.rule.codes.retention_unlawful])
    expect(zhCn.rule.codes.retention_unlawful).not.toContain('条例')
  })

  test('a size that is not declared does not evade the protection: both are asked for before a contract is sent', () => {
    expect(scaleProblems({ scaleLessee: null, scaleLessor: null }).map(({ key }) => key)).toEqual(['scaleLessee', 'scaleLessor'])
    expect(scaleProblems({ scaleLessee: null, scaleLessor: 'small' })).toEqual([{ key: 'scaleLessee', rule: 'scale_lessee_needed' }])
    expect(scaleProblems({ scaleLessee: 'small', scaleLessor: 'large' })).toEqual([])
    for (const rule of scaleRules) expect(zhCn.contract.scaleRule[rule]).toContain('第三条')
  })

  test('late interest is not under the loan prime rate (art. 17), unless it is that of the law', () => {
    expect(problems({ lateRate: 299 })).toEqual(['late_rate_low'])
    expect(problems({ lateRate: 300 })).toEqual([])
    expect(problems({ lateRate: null })).toEqual([])
  })

  test('progress payment and retention share a settlement between them; a demand that pays all of it begins with no retention', () => {
    expect(problems({ payRatio: 100, retention: 5 })).toEqual(['retention_over'])
    expect(problems({ payRatio: 96, retention: 5 })).toEqual(['retention_over'])
    expect(problems({ payRatio: 95, retention: 5 })).toEqual([])
    expect(problems(defaultClauses({ buildingLifting: false, rentUnits: ['M'], payment: { ratio: 100, days: 30 } }))).toEqual([])
    for (const text of [zhCn, en]) expect(text.contract.rule.retention_over).toContain('100')
  })

  test('a bill of exchange matures within six months (art. 25 of its measures); a stored contract with a longer one stays readable', () => {
    const bills = (months: number) => ({ nonCash: { share: 50, months } })
    expect([problems(bills(6)), problems(bills(7))]).toEqual([[], ['bill_long']])
    expect(ClausesInput.safeParse({ ...wire(), ...bills(12) }).success).toBe(true)
    for (const text of [zhCn, en]) expect(text.contract.rule.bill_long).toMatch(/第二十五条|art\. 25/)
  })

  test('an arbitration commission has a name', () => {
    expect(problems({ venue: { kind: 'arbitration', name: '' } })).toEqual(['venue_needed'])
    expect(problems({ venue: { kind: 'arbitration', name: '成都仲裁委员会' } })).toEqual([])
  })

  test('much that is paid late is marked, and not refused', () => {
    const late = { ...clauses, payRatio: 69 }
    expect(clauseProblems(late, { ...facts, smeRule: true })).toEqual([])
    const marked = (changes: Partial<typeof clauses>, planEnd: string, planStart = '2027-01-01') =>
      clauseMarksOf({ ...clauses, ...changes }, { ...facts, smeRule: true, planStart, planEnd }).map(({ key }) => key)
    expect(marked({ payRatio: 69 }, '2027-08-01')).toEqual(['payRatio', 'restAt'])
    // More than six months, as the months of the calendar are counted.
    expect([marked({}, '2027-07-01'), marked({}, '2027-07-02'), marked({}, '2027-08-01', '2027-02-01')]).toEqual([[], ['restAt'], []])
    // The retention is not paid late but later.
    const shares = [
      [68, 0],
      [68, 2],
      [68, 1],
      [70, 0],
    ] as const
    expect(shares.map(([payRatio, retention]) => marked({ payRatio, retention }, '2027-04-01'))).toEqual([
      ['payRatio'],
      [],
      ['payRatio'],
      [],
    ])
  })
})

test('a declared size is smaller than a certified one as the law of payments counts sizes', () => {
  expect(isDeclaredSmaller('medium', 'large')).toBe(true)
  expect(isDeclaredSmaller('micro', 'small')).toBe(true)
  expect(isDeclaredSmaller('small', 'institution')).toBe(true)
  for (const [declared, certified] of [
    ['large', 'large'],
    ['institution', 'large'],
    ['large', 'small'],
    [null, 'large'],
    ['micro', null],
  ] as const)
    expect(isDeclaredSmaller(declared, certified)).toBe(false)
})
