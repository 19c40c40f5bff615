import { expect, test } from 'vitest'
import { daysBetween } from '../calendar.ts'
import { defaultClauses } from '../contract/clauses.ts'
import { decisionDays, decisionReminder } from '../demand/rules.ts'
import { bindsUntil } from '../quote/rules.ts'
import { about as aboutEn } from './en/reading/about.ts'
import { agreements as agreementsEn } from './en/reading/agreement.ts'
import { help as helpEn } from './en/reading/help.ts'
import { en } from './en.ts'
import { about } from './zh-cn/reading/about.ts'
import { agreements } from './zh-cn/reading/agreement.ts'
import { help } from './zh-cn/reading/help.ts'
import { amendmentWordsOf } from './amendment-words.ts'
import { auditFieldsOf } from './audit-fields.ts'
import { clauseWordsOf } from './clause-words.ts'
import { zhCn } from './zh-cn.ts'
import type { Reading } from './reading.ts'

const sampleClauses = defaultClauses({ buildingLifting: false, rentUnits: ['M'], payment: { ratio: 70, days: 30 } })

/** Every text of a catalogue under its path; a function is called with the same sign for each of its arguments. */
function wordsOf(value: unknown, path = '', sign: string | number = '7'): [path: string, words: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') {
    const argument = path.includes('.messages.')
      ? new Proxy({}, { get: () => String(sign) })
      : path.includes('.sentences.')
        ? sampleClauses
        : sign
    const result: unknown = Reflect.apply(value, null, Array<unknown>(value.length).fill(argument))
    return [[path, String(result)]]
  }
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => wordsOf(inner, `${path}.${key}`, sign))
  return []
}

const isRead = ([path]: [string, string]) => !path.endsWith('.id')
const apart = (text: typeof zhCn) => ({ clauses: clauseWordsOf(text), amendments: amendmentWordsOf(text), logged: auditFieldsOf(text) })
const chinese = wordsOf({ zhCn, about, agreements, help, ...apart(zhCn) }).filter(isRead)
const english = wordsOf({ en, aboutEn, agreementsEn, helpEn, ...apart(en) }).filter(isRead)

test('English texts hold no Chinese, and Chinese texts no English sentences', () => {
  // The button that leads to the other language is written in that language.
  const button = /\.site\.action\.language$/
  expect(english.filter(([path, words]) => /[\u3000-\u9fff\uff00-\uffef]/.test(words) && !button.test(path))).toEqual([])
  const names = /Excel|Word|WebP|Argon2id|Idempotency-Key|backup|Cookie|JSON|\.xlsx|\/notice\S*|\{\w+\}/g
  expect(chinese.filter(([path, words]) => /[A-Za-z]{4,}/.test(words.replace(names, '')) && !button.test(path))).toEqual([])
})

/** Wordings that a native reader stumbles over, each with what stands in its place. */
const stumbles: [RegExp, string][] = [
  [/\bpapers?\b/i, 'document'],
  [/\bmend(ed|ing)?\b/i, 'correct'],
  [/\bswitch(ed)? (on|off)\b/i, 'activate, deactivate'],
  [/\bfirst password/i, 'initial password'],
  [/\bjudg/i, 'under evaluation'],
  [/\b(hand|handed) in\b/i, 'submit'],
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
  [/\bpost(ed|ing)? (a |your |the |again|one|first)/i, 'publish'],
]

test('English texts avoid the wordings that a native reader stumbles over', () => {
  const found = english.flatMap(([path, words]) =>
    stumbles.filter(([stumble]) => stumble.test(words)).map(([, better]) => `${path}: ${words} (${better})`),
  )
  expect(found).toEqual([])
})

test('one thing has one word: histories, sections of the news and roles are named alike everywhere', () => {
  for (const text of [zhCn, en]) {
    expect(text.admin.articles.tabs).toEqual(text.site.notice.tabs)
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

test('the day on which a hire ends is named as the first that is not hired any more', () => {
  const day = '2027-03-13'
  for (const [text, excluded] of [
    [zhCn, `至 ${day} 前一日`],
    [en, `until the day before ${day}`],
  ] as const) {
    const params = { code: 'HT1', title: '', positions: '1', day, days: '7' }
    const said = [text.contract.pages.endsSoon(day), text.messages.contractEnding.content(params), amendmentWordsOf(text).until(day)]
    for (const words of said) expect(words).toContain(excluded)
  }
})

test('the pages to read give the days to decide and the days that a quote binds, and a quote lapses after an extension as well', () => {
  const day = '2026-12-01'
  const binding = daysBetween(day, bindsUntil(day))
  const chapter = (readings: Record<string, Reading>, name: string, id: string) =>
    readings[name]?.chapters
      .find((one) => one.id === id)
      ?.blocks.flat()
      .join('')
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

test('English texts count one of something as one', () => {
  const nouns =
    'days|months|years|views|machines|rows|units|lines|quotes|demands|companies|lessors|contracts|drafts|steps|versions|entries|links|groups|messages|suggestions|characters|items|sessions|people|fields|parameters|requirements|favourites|recovery codes|repeatedly failing items'
  // Limits of the platform, which are never one, and a path whose words contain a number of their own.
  const single = wordsOf({ en, amendments: amendmentWordsOf(en) }, '', 1).filter(
    ([path]) => !/\.contract\.(pages\.(handOver|ownForm|within)|record\.shown)\b/.test(path),
  )
  const wrong = new RegExp(
    String.raw`\b1 ((more|other|correct|selected|listed|invited|suitable) )?(${nouns})\b|\b1 of your|\b[Aa]ll 1\b|\b[Tt]he 1\b`,
  )
  expect(single.filter(([, words]) => wrong.test(words))).toEqual([])
})

test('an operator is one of the platform’s people; whoever runs a machine is a driver', () => {
  const ofPlatform = /agreementsEn|\.account\.|\.admin\.accounts\.|staff|\.platform$/
  expect(english.filter(([path, words]) => /operator/i.test(words) && !ofPlatform.test(path))).toEqual([])
})
