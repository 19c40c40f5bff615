import { expect, test } from 'vitest'
import { daysBetween } from '../calendar.ts'
import { defaultClauses } from '../contract/clauses.ts'
import { lapseDays } from '../contract/rules.ts'
import { decisionDays, decisionReminder } from '../demand/rules.ts'
import { feedbackLapseDays } from '../feedback/rules.ts'
import { bindsUntil, giveUpHours } from '../quote/rules.ts'
import { about as aboutEn } from './en/reading/about.ts'
import { agreements as agreementsEn } from './en/reading/agreement.ts'
import { help as helpEn } from './en/reading/help.ts'
import { en } from './en.ts'
import { own as ownEn } from './en/own.ts'
import { papers as papersEn } from './en/papers.ts'
import { about } from './zh-cn/reading/about.ts'
import { agreements } from './zh-cn/reading/agreement.ts'
import { help } from './zh-cn/reading/help.ts'
import { own } from './zh-cn/own.ts'
import { papers } from './zh-cn/papers.ts'
import { amendmentWordsOf } from './amendment-words.ts'
import { auditFieldsOf } from './audit-fields.ts'
import { clauseWordsOf } from './clause-words.ts'
import { unitFor } from './name-in.ts'
import { blankLine, type Papers } from './papers.ts'
import { zhCn } from './zh-cn.ts'
import type { Reading } from './reading.ts'

const sampleClauses = defaultClauses({ buildingLifting: false, rentUnits: ['M'], payment: { ratio: 70, days: 30 } })
/** With every number one, and every agreement that may be left out. */
const clausesOfOne: unknown = JSON.parse(
  JSON.stringify({
    ...sampleClauses,
    minUnits: 1,
    minPerDay: 1,
    hourCap: 1,
    fuelPriceFen: 1,
    nonCash: { share: 1, months: 1 },
    bond: { share: 1, kind: 'cash' },
  }).replace(/:\d+/g, ':1'),
)

/** Every text of a catalogue under its path; a function is called with the same sign for each of its arguments. */
function wordsOf(value: unknown, path = '', sign: string | number = '7'): [path: string, words: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') {
    const argument = path.includes('.messages.')
      ? new Proxy({}, { get: () => String(sign) })
      : path.includes('.sentences.')
        ? sign === 1
          ? clausesOfOne
          : sampleClauses
        : sign
    const result: unknown = Reflect.apply(value, null, Array<unknown>(value.length).fill(argument))
    return wordsOf(typeof result === 'object' ? result : String(result), path, sign)
  }
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => wordsOf(inner, `${path}.${key}`, sign))
  return []
}

const isRead = ([path]: [string, string]) => !path.endsWith('.id')
const apart = (text: typeof zhCn) => ({ clauses: clauseWordsOf(text), amendments: amendmentWordsOf(text), logged: auditFieldsOf(text) })
const names = { platform: '', site: '', enterprise: '', code: '', legalPerson: '', agent: '', phone: '' }
/** The lines to fill in are of no language. */
const printed = ({ authorization, safetyPledge }: Papers) =>
  JSON.parse(
    JSON.stringify([authorization(names, 'lease'), authorization(names, 'rentout'), safetyPledge(names)]).replaceAll(blankLine, ''),
  ) as unknown
const chinese = wordsOf({ zhCn, about, agreements, help, own, papers: printed(papers), ...apart(zhCn) }).filter(isRead)
const english = wordsOf({ en, aboutEn, agreementsEn, helpEn, ownEn, papersEn: printed(papersEn), ...apart(en) }).filter(isRead)

test('English texts hold no Chinese, and Chinese texts no English sentences', () => {
  // The button that leads to the other language is written in that language.
  const button = /\.site\.action\.language$/
  expect(english.filter(([path, words]) => /[\u3000-\u9fff\uff00-\uffef]/.test(words) && !button.test(path))).toEqual([])
  const foreign = /Excel|Word|WebP|Argon2id|Idempotency-Key|backup|Cookie|JSON|Ctrl|Enter|https?|mailto|\.xlsx|\.docx|\/notice\S*|\{\w+\}/g
  expect(chinese.filter(([path, words]) => /[A-Za-z]{4,}/.test(words.replace(foreign, '')) && !button.test(path))).toEqual([])
})

/** Wordings that a native reader stumbles over, each with what stands in its place. */
const stumbles: [RegExp, string][] = [
  [/\bpapers?\b/i, 'document'],
  [/\bmend(ed|ing)?\b/i, 'correct'],
  [/\bswitch(ed)? (on|off)\b/i, 'activate, deactivate'],
  [/\bfirst password/i, 'initial password'],
  [/\bjudg/i, 'under evaluation'],
  [/\b(hand|handed)( \w+)? in\b/i, 'submit'],
  [/\bholds? (only )?(\d+|in \d+) hours/i, 'takes effect'],
  [/\bto blame\b|\bwithout blame\b/i, 'responsible'],
  [/\bnobody of (it|the)\b/i, 'its people … not'],
  [/\brecoverable\b/i, 'deductible'],
  [/\b(take|taken|took) (it |the \w+ )?back\b/i, 'withdraw'],
  [/\b(give|given|gives) up\b/i, 'decline'],
  [/\bby (itself|themselves)\b(?! \()/i, 'automatically'],
  [/\bleast (number|days|emission)/i, 'minimum'],
  [/\byuan\b/i, 'CNY'],
  [/\b(nobody|nothing|no \w+|what) fits\b/i, 'no … found'],
  [/\bpicture code/i, 'image code'],
  [/\bof the kind\b/i, 'of this category'],
  [/\b(suits with|points)\b/i, 'match'],
  [/\bthings?\b/i, 'the name of the thing'],
  [/^(Keep|Kept|Judging|Look|Told)$/, 'a word that says what happens'],
  [/\b(he|him|his|himself)\b/i, 'they'],
  [/\bpost(ed|ing)? (a |your |the |again|one|first|demands)/i, 'publish'],
]

test('English texts avoid the wordings that a native reader stumbles over', () => {
  const found = english.flatMap(([path, words]) =>
    stumbles.filter(([stumble]) => stumble.test(words)).map(([, better]) => `${path}: ${words} (${better})`),
  )
  expect(found).toEqual([])
})

test('Chinese texts use the words of the trade and the quotation marks of the mainland', () => {
  const others = /[「」]|贵公司|帐户|中标(?!通知书)|供应商|(未|等待|设备)(确认)?在库|不含税(合计|到场)|最短租期|履约记录/
  expect(chinese.filter(([, words]) => others.test(words))).toEqual([])
})

test('one thing has one word: histories, sections of the news and roles are named alike everywhere', () => {
  for (const text of [zhCn, en]) {
    expect(text.admin.articles.tabs).toEqual(text.site.articles.tabs)
    expect(
      new Set([text.certification.timeline, text.demand.own.timeline, text.blacklist.timeline, text.equipment.upload.sections.history])
        .size,
    ).toBe(1)
    expect(text.quote.status['4']).toBe(text.demand.status['4'])
  }
})

const shapeOf = (readings: Record<string, Reading>) =>
  Object.entries(readings).map(([name, { chapters }]) => [
    name,
    chapters.map(({ id, blocks }) => [id, ...blocks.map((block) => (typeof block === 'string' ? 0 : block.length))]),
  ])

test('the pages to read have the same chapters, paragraphs and points in both languages', () => {
  expect(shapeOf(agreementsEn)).toEqual(shapeOf(agreements))
  expect(shapeOf(helpEn)).toEqual(shapeOf(help))
  expect(wordsOf(aboutEn).map(([path]) => path)).toEqual(wordsOf(about).map(([path]) => path))
  for (const readings of [agreements, help, agreementsEn, helpEn])
    for (const { chapters } of Object.values(readings)) expect(new Set(chapters.map(({ id }) => id)).size).toBe(chapters.length)
})

test('the day on which a hire or a restriction ends is named as the first that is free again', () => {
  const day = '2027-03-13'
  for (const [text, excluded] of [
    [zhCn, `至 ${day} 前一日`],
    [en, `until the day before ${day}`],
  ] as const) {
    const params = { code: 'HT1', title: '', positions: '1', day, days: '7' }
    const said = [
      text.contract.pages.endsSoon(day),
      text.contract.pages.ended(day),
      text.messages.contractEnding.content(params),
      amendmentWordsOf(text).until(day),
      text.blacklist.blocks(text.blacklist.platform, '2026-03-13', day),
      text.messages.blacklistInForce.content({ from: '2026-03-13', to: day }),
    ]
    for (const words of said) expect(words).toContain(excluded)
  }
})

const chapter = (readings: Record<string, Reading>, name: string, id: string) =>
  readings[name]?.chapters
    .find((one) => one.id === id)
    ?.blocks.flat()
    .join('')

test('the pages to read give the days to decide and the days that a quote binds, and a quote lapses after an extension as well', () => {
  const day = '2026-12-01'
  const binding = daysBetween(day, bindsUntil(day))
  for (const [rules, pages, decided, reminded, binds] of [
    [agreements, help, `开标后 ${decisionDays} 天内`, `到期前 ${decisionReminder} 天`, `截止后 ${binding} 天`],
    [agreementsEn, helpEn, `within ${decisionDays} days`, `${decisionReminder} days before`, `less than ${binding} days after`],
  ] as const) {
    for (const words of [decided, reminded]) expect(chapter(rules, 'rules', 'award')).toContain(words)
    expect(chapter(rules, 'rules', 'questions')).toContain(binds)
    expect([chapter(pages, 'publish-demand', 'after'), chapter(pages, 'quote', 'submit')]).toEqual([
      expect.stringContaining(decided),
      expect.stringContaining(binds),
    ])
  }
  expect(zhCn.messages.quoteLapsed.content({ code: 'BJ1' })).toContain('变更或延期')
  expect(en.messages.quoteLapsed.content({ code: 'BJ1' })).toContain('changed or was extended')
})

test('a Chinese refusal ends without a full stop', () => {
  expect(wordsOf(zhCn.refusal).filter(([, words]) => words.endsWith('。'))).toEqual([])
})

test('the rules give the time in which an award is declined and contracted, and the answer to feedback the days until it closes', () => {
  const { unsent, unanswered, atMost, extension } = lapseDays
  expect(unsent).toBe(unanswered)
  for (const [rules, times, closes] of [
    [
      agreements,
      [`${giveUpHours} 小时内放弃`, `${unsent} 天内发送`, `最长 ${atMost} 天`, `最多 ${extension} 天`],
      zhCn.personal.feedback.sent,
    ],
    [
      agreementsEn,
      [
        `decline within ${giveUpHours} hours`,
        `within ${unsent} days of the award`,
        `${atMost} days from the award`,
        `up to ${extension} days`,
      ],
      en.personal.feedback.sent,
    ],
  ] as const) {
    for (const time of times) expect(chapter(rules, 'rules', 'award')).toContain(time)
    expect(closes).toContain(`${feedbackLapseDays} `)
  }
  expect(chapter(help, 'quote', 'result')).toContain(`${unanswered} 天内`)
  expect(chapter(helpEn, 'quote', 'result')).toContain(`within ${unanswered} days`)
})

test('a dialog says what follows: an award may await approval, and a machine off the shelf wins nothing', () => {
  for (const [text, approval, follows, denied] of [
    [zhCn, '等待审批', '不能中选', '不受影响'],
    [en, 'submitted for approval', 'neither confirmed nor awarded', 'unaffected'],
  ] as const) {
    expect(text.quote.compare.awardAsk(1, 2, '100')).toContain(approval)
    for (const ask of [text.equipment.own.downAsk, text.list.machine.takeOffAsk(2)]) expect(ask).toContain(follows)
    for (const ask of [text.equipment.own.downAsk, text.list.machine.takeOffAsk(2), text.organization.offAsk])
      expect(ask).not.toContain(denied)
  }
})

test('English texts count one of something as one', () => {
  const nouns =
    'days|months|years|views|machines|rows|units|lines|quotes|demands|companies|lessors|contracts|drafts|steps|versions|entries|links|groups|messages|suggestions|characters|items|sessions|people|fields|parameters|requirements|favourites|recovery codes|repeatedly failing items|bytes|hours'
  // Limits of the platform, which are never one, and a path whose words contain a number of their own.
  const single = wordsOf({ en, amendments: amendmentWordsOf(en), clauses: { sentences: clauseWordsOf(en).sentences } }, '', 1).filter(
    ([path]) => !/\.contract\.(pages\.(handOver|ownForm|within)|record\.shown)\b/.test(path),
  )
  const wrong = new RegExp(
    String.raw`\b1 ((more|other|correct|selected|listed|invited|suitable) )?(${nouns})\b|\b1 of your|\b[Aa]ll 1\b|\b[Tt]he 1\b`,
  )
  expect(single.filter(([, words]) => wrong.test(words))).toEqual([])
})

test('the owner of a demand reads how many have quoted', () => {
  const [one, two] = ['1', '2'].map((count) => en.messages.quoteReceived.content({ code: 'XQ1', count, sealed: '1' }))
  expect(one).toMatch(/^XQ1 has 1 quote so far\. Prices are sealed/)
  expect(two).toMatch(/^XQ1 has 2 quotes so far\./)
})

test('an English message names several of something with an English comma between them', () => {
  const params = { code: 'HT1', who: '甲', signers: '乙、丙', positions: '1、2', day: '2027-03-13', days: '7' }
  expect(en.messages.contractOwnPersons.content(params)).toContain('乙, 丙')
  expect(en.messages.contractEnding.content(params)).toContain('positions 1, 2 are')
})

test('an operator is one of the platform’s people; whoever runs a machine is a driver', () => {
  const ofPlatform = /agreementsEn|\.account\.|\.admin\.accounts\.|staff|\.platform$/
  expect(english.filter(([path, words]) => /operator/i.test(words) && !ofPlatform.test(path))).toEqual([])
})

test('an amendment is said to be confirmed and not to be in force, because another bank account waits a day', () => {
  expect(amendmentWordsOf(zhCn).confirmed).not.toContain('生效')
  expect(amendmentWordsOf(en).confirmed).not.toContain('in force')
})

test('a message about an amendment names its kind and its last day; one that was stored before reads as it did', () => {
  const old = { code: 'HT1', change: 'BC1', company: '甲', reason: '顺延' }
  const both = [zhCn, en].map(({ messages }) => messages)
  expect(both.map(({ contractChangeAsked: { content } }) => content(old))).toEqual([
    '甲就合同 HT1 提出补充协议 BC1：顺延。请确认或拒绝。',
    '甲 proposes the amendment BC1 of the contract HT1: 顺延. Confirm or refuse it.',
  ])
  expect(both.map(({ contractChangeDone: { content } }) => content(old))).toEqual([
    '合同 HT1 的补充协议 BC1 已经双方确认。',
    'Both sides confirmed the amendment BC1 of the contract HT1.',
  ])
  const longer = { ...old, kind: 'extend', by: '2026-12-17' }
  expect(both.map(({ contractChangeAsked: { content } }) => content(longer))).toEqual([
    '甲就合同 HT1 提出补充协议 BC1（延长租期）：顺延。请在 2026-12-17 前（含当日）确认或拒绝。',
    '甲 proposes the amendment BC1 (Longer hire) of the contract HT1: 顺延. Confirm or refuse it by 2026-12-17.',
  ])
  const ended = { ...old, kind: 'terminate', day: '2026-12-20' }
  expect(both.map(({ contractChangeDone: { content } }) => content(ended))).toEqual([
    '合同 HT1 的补充协议 BC1（协议终止）已经双方确认。合同提前终止，最后一日为 2026-12-20。',
    'Both sides confirmed the amendment BC1 (Termination) of the contract HT1. The contract ends early; its last day is 2026-12-20.',
  ])
})

test('a limit that counts the last 24 hours says so, and not that it ends with the day', () => {
  for (const limit of ['sms_day_limit', 'look_limit'] as const)
    expect([zhCn.refusal[limit], en.refusal[limit]]).toEqual([expect.stringContaining('24 小时'), expect.stringContaining('24 hours')])
})

test('a period with one end shows that the other is open, and less than a minute or an hour is not shown as 0', () => {
  const day = '2027-03-01'
  expect([zhCn.search.within(day, ''), en.search.within('', day)]).toEqual([`租期 ${day} 至 …`, `hire … – ${day}`])
  for (const text of [zhCn, en])
    for (const words of [text.demand.left(0, 0, 0), text.list.review.waited(0, 0)]) expect(words).not.toContain('0')
})

test('one shift is no shifts: the unit of a quantity follows its number', () => {
  const inEnglish = (quantity: number | string) => unitFor(en as typeof zhCn, quantity, 'S')
  expect([inEnglish(1), inEnglish('1'), inEnglish(2), inEnglish(0.5)]).toEqual(['shift', 'shift', 'shifts', 'shifts'])
})

test('a lessor that the comparison bars is called by no single level of the restriction list', () => {
  const { compare } = en.quote
  for (const level of Object.values(compare.listed)) expect([compare.blocked, compare.bars.blacklisted]).not.toContain(level)
})

test('an award confirms what was chosen: the contract is concluded in writing afterwards', () =>
  expect(JSON.stringify(agreementsEn)).not.toContain('award is the lessee’s acceptance'))
