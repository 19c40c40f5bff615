import { defaultClauses } from './contract/clauses.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstPageUnder, goalOf, landingOf, workbenchHome } from './account/landing.ts'
import { isStrongPassword, mayOpen, needsLogin, roles } from './account/rules.ts'
import { permissionsFor, permissionsOf } from './account/permissions.ts'
import { blacklistMoves, blacklistStatuses } from './blacklist/rules.ts'
import { addDays, daysBetween, fromMoment, overlaps, toMoment } from './calendar.ts'
import { roleOf, type CompanyAudits } from './certification/rules.ts'
import { changeMoves, changeStatuses, contractMoves, contractStatuses } from './contract/rules.ts'
import { creditCodeCheck, isCreditCode } from './company/rules.ts'
import { canMoveDemand } from './demand/guards.ts'
import { demandMoves, demandStatuses, timingProblems } from './demand/rules.ts'
import {
  auditStatuses,
  dueOf,
  emissionAtLeast,
  equipmentMoves,
  meets,
  monthPriceFen,
  documentsEndingBefore,
  requiredDocuments,
} from './equipment/rules.ts'
import { line, Moment, yuan } from './fields.ts'
import { transferMoves, transferStatuses } from './internal/rules.ts'
import { canMove, type Moves } from './lifecycle.ts'
import { paths } from './paths.ts'
import { quoteBar, quoteMoves, quoteStatuses } from './quote/rules.ts'
import { isCityOf, isDistrictOf, levelOf, parentOf } from './region/rules.ts'
import { en } from './text/en.ts'
import { zhCn } from './text/zh-cn.ts'

describe('calendar', () => {
  const day = fc
    .date({ min: new Date('2000-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  test('adding days and counting days between dates agree over month ends, leap days and years', () => {
    expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2)
    fc.assert(
      fc.property(day, fc.integer({ min: -4000, max: 4000 }), (from, days) => {
        expect(daysBetween(from, addDays(from, days))).toBe(days)
      }),
    )
  })
  test('half-open periods that only touch do not overlap, and overlap is mutual', () => {
    expect(overlaps({ from: '2026-01-01', to: '2026-02-01' }, { from: '2026-02-01', to: '2026-03-01' })).toBe(false)
    const period = fc.tuple(day, fc.integer({ min: 1, max: 400 })).map(([from, days]) => ({ from, to: addDays(from, days) }))
    fc.assert(
      fc.property(period, period, (a, b) => {
        expect(overlaps(a, b)).toBe(overlaps(b, a))
      }),
    )
  })
  test('moments are Shanghai time and survive a round trip', () => {
    expect(toMoment(new Date('2026-11-23T02:00:00Z'))).toBe('2026-11-23 10:00:00')
    expect(fromMoment('2026-11-23 10:00:00').toISOString()).toBe('2026-11-23T02:00:00.000Z')
  })
})

describe('credit codes (GB 32100)', () => {
  test('the worked example of the standard ends in 3, not Z', () => {
    expect(creditCodeCheck('91350100M000100Y4')).toBe('3')
    expect(isCreditCode('91350100M000100Y4Z')).toBe(false)
  })
  test.each(['914403001922038216', '9144030071526726XG', '91330100799655058B', '91110000802100433B', '91110108DEM0100178'])(
    '%s is right',
    (code) => expect(isCreditCode(code)).toBe(true),
  )
  test('any changed character is detected', () => {
    const letters = '0123456789ABCDEFGHJKLMNPQRTUWXY'
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 17 }), fc.constantFrom(...letters), (at, letter) => {
        const code = '91350100M000100Y43'
        const changed = code.slice(0, at) + letter + code.slice(at + 1)
        expect(isCreditCode(changed)).toBe(changed === code)
      }),
    )
  })
})

test('[S3.6] the parent of a region code follows from its digits', () => {
  expect([parentOf(510_107), parentOf(510_100), parentOf(510_000)]).toEqual([510_100, 510_000, null])
  expect([levelOf(510_107), levelOf(510_100), levelOf(510_000)]).toEqual([3, 2, 1])
  expect(isCityOf(510_000, 510_100) && isDistrictOf(510_100, 510_107)).toBe(true)
  expect(isCityOf(440_000, 510_100)).toBe(false)
})

describe('equipment', () => {
  test('normalised month price: day × 30, shift × 26 or 52, hour × 8 × 26, volume not comparable', () => {
    expect([
      monthPriceFen('M', 100),
      monthPriceFen('D', 100),
      monthPriceFen('S', 100),
      monthPriceFen('S', 100, true),
      monthPriceFen('H', 100),
      monthPriceFen('V', 100),
    ]).toEqual([100, 3000, 2600, 5200, 20_800, null])
  })
  test.each([
    [5, 'ge', '5', true],
    [4.9, 'ge', '5', false],
    [5, 'le', '5', true],
    ['电动', 'in', '电动、柴油', true],
    ['柴动', 'in', '电动', false],
    [undefined, 'ge', '1', false],
    ['无尾', 'eq', '无尾', true],
  ] as const)('%s %s %s: %s', (value, rule, wanted, met) => expect(meets(value, { key: 'x', rule, value: wanted })).toBe(met))
  test('documents that end before the exit are found, those without an end are not', () => {
    expect(documentsEndingBefore([{ validTo: '2027-03-02' }, { validTo: null }, { validTo: '2027-07-01' }], '2027-06-30')).toEqual([
      { validTo: '2027-03-02' },
    ])
  })
  test('a paper ends within 90, 30 or 7 days, has ended the day after its last one, or is not due', () => {
    const due = (validTo: string) => dueOf(validTo, '2026-11-23')
    expect(
      ['2026-11-22', '2026-11-23', '2026-11-30', '2026-12-01', '2026-12-23', '2026-12-24', '2027-02-21', '2027-02-22'].map(due),
    ).toEqual([0, 7, 7, 30, 30, 90, 90, null])
  })
  test('stage III satisfies III, electric satisfies every stage, II does not satisfy III', () => {
    expect([emissionAtLeast('3', '3'), emissionAtLeast('electric', '4'), emissionAtLeast('2', '3'), emissionAtLeast('2', null)]).toEqual([
      true,
      true,
      false,
      true,
    ])
  })
  test('a tower crane needs registration, inspection, filing and an erection firm', () => {
    expect(
      requiredDocuments({ specialEquipment: true, buildingLifting: true, nonRoad: false, roadVehicle: false, erection: true }),
    ).toEqual(['ownership', 'conformity', 'registration', 'inspection', 'filing', 'erection'])
  })
})

describe('demand', () => {
  const now = new Date('2026-11-23T02:00:00Z')
  const items = [{ planStart: '2026-12-10', planEnd: '2027-01-10' }]
  const rules = (changes: object) =>
    timingProblems(
      { quoteDeadline: new Date('2026-11-26T02:00:00Z'), clarifyDeadline: null, urgent: false, items, ...changes },
      now,
      '2026-11-23',
    ).map(({ rule }) => rule)
  test('a deadline is at least 24 hours ahead, 2 when urgent', () => {
    expect(rules({})).toEqual([])
    expect(rules({ quoteDeadline: new Date('2026-11-24T01:59:00Z') })).toEqual(['deadline_soon'])
    expect(rules({ quoteDeadline: new Date('2026-11-23T04:00:00Z'), urgent: true })).toEqual([])
    expect(rules({ quoteDeadline: new Date('2026-11-23T03:59:00Z'), urgent: true })).toEqual(['deadline_urgent'])
    expect(rules({ clarifyDeadline: new Date('2026-11-26T02:00:00Z') })).toEqual(['clarify_late'])
  })
  test('the deadline is before the hire of each line is over', () => {
    const brief = [...items, { planStart: '2026-11-24', planEnd: '2026-11-26' }]
    expect(rules({ items: brief })).toEqual(['deadline_hire'])
    expect(rules({ items: brief, quoteDeadline: new Date('2026-11-25T15:59:00Z') })).toEqual([])
    const ends = (changed: object[]) => rules({ items: brief, changed: { starts: brief, ends: changed } })
    expect([ends(items), ends(brief)]).toEqual([[], ['deadline_hire']])
  })
  test('a hire ends after it starts; one that has begun may get another end', () => {
    const begun = [{ planStart: '2026-11-22', planEnd: '2026-12-01' }]
    expect(rules({ items: begun, changed: { starts: [], ends: begun } })).toEqual([])
    expect(rules({ items: [{ planStart: '2026-12-01', planEnd: '2026-12-01' }] })).toEqual(['ends_before_start'])
  })
  const moment = '2026-11-23 10:00:00'
  const facts = {
    status: '3' as const,
    sealed: true,
    quoteDeadline: '2026-11-26 10:00:00',
    quoteCount: 3,
    minQuotes: 3,
    isToldShort: false,
  }
  test('the owner opens only demands without a seal or short of quotes after the deadline; the clock opens both', () => {
    expect(canMoveDemand(facts, 'open', 'owner', moment)).toBe(false)
    expect(canMoveDemand({ ...facts, sealed: false }, 'open', 'owner', moment)).toBe(true)
    expect(canMoveDemand(facts, 'open', 'clock', moment)).toBe(true)
    const late = { ...facts, quoteDeadline: '2026-11-23 09:00:00' }
    expect(canMoveDemand(late, 'open', 'owner', moment)).toBe(false)
    expect(canMoveDemand({ ...late, quoteCount: 2 }, 'open', 'owner', moment)).toBe(true)
    expect(canMoveDemand({ ...late, isToldShort: true }, 'open', 'owner', moment)).toBe(true)
    expect(canMoveDemand(late, 'extend', 'owner', moment)).toBe(false)
    expect(canMoveDemand({ ...late, quoteCount: 2 }, 'extend', 'owner', moment)).toBe(true)
    expect(canMoveDemand(facts, 'extend', 'owner', moment)).toBe(true)
    expect(canMoveDemand({ ...late, quoteCount: 2 }, 'fail', 'owner', moment)).toBe(true)
    expect(canMoveDemand({ ...facts, quoteCount: 2 }, 'fail', 'owner', moment)).toBe(false)
    expect(canMoveDemand({ ...facts, status: '4' }, 'fail', 'owner', moment)).toBe(true)
  })
  test('a demand is amended until 24 hours before its deadline', () => {
    expect(canMoveDemand(facts, 'amend', 'owner', '2026-11-25 09:59:59')).toBe(true)
    expect(canMoveDemand(facts, 'amend', 'owner', '2026-11-25 10:00:00')).toBe(false)
  })
  test('from every state a final state can be reached, and no move leaves a final state', () => {
    const actors = ['owner', 'approver', 'lessor', 'operator', 'clock'] as const
    fc.assert(
      fc.property(fc.constantFrom(...demandStatuses), fc.array(fc.nat(), { maxLength: 12 }), (start, choices) => {
        let status: string = start
        for (const choice of choices) {
          const open = Object.entries(demandMoves).filter(([, { from }]) => (from as readonly string[]).includes(status))
          if (['7', '8', '9'].includes(status)) expect(open).toEqual([])
          else expect(open.length).toBeGreaterThan(0)
          const [move, { to }] = open[choice % Math.max(1, open.length)] ?? [null, { to: status }]
          // A move by somebody who may not make it changes nothing.
          if (move) expect(actors.some((actor) => canMove(demandMoves, move as 'open', status, actor))).toBe(true)
          status = to
        }
        expect(demandStatuses).toContain(status)
      }),
    )
  })
  test('no move leaves a final status, and every move leads to a known status', () => {
    // An awarded demand loses what no contract followed.
    for (const status of ['5', '6', '7', '8', '9'] as const)
      for (const move of Object.keys(demandMoves).filter((one) => one !== 'lapse'))
        expect(canMove(demandMoves, move as 'open', status, 'owner')).toBe(false)
    for (const { to } of Object.values(demandMoves)) expect(demandStatuses).toContain(to)
    for (const status of ['6', '8', '9', '2'])
      for (const move of Object.keys(quoteMoves).filter((one) => one !== 'lapseAward'))
        expect(canMove(quoteMoves, move as 'win', status, 'owner')).toBe(false)
  })
  test('the first reason against quoting is the first to resolve', () => {
    const facts = {
      certified: true,
      blacklisted: false,
      ownCompany: false,
      invitedOnly: false,
      invited: false,
      status: '3' as const,
      deadlinePassed: false,
      machines: 1,
    }
    expect(quoteBar(facts)).toBeNull()
    expect(quoteBar({ ...facts, certified: false, machines: 0 })).toBe('not_certified')
    expect([false, true].map((invited) => quoteBar({ ...facts, invitedOnly: true, invited }))).toEqual(['not_invited', null])
    const bars = [{ status: '4' as const }, { deadlinePassed: true }, { machines: 0 }].map((more) => quoteBar({ ...facts, ...more }))
    expect(bars).toEqual(['demand_not_open', 'deadline_passed', 'no_machine'])
  })
})

describe('fields', () => {
  test('control characters and bidi marks are removed and blanks folded', () =>
    expect(line(1, 20).parse(' 塔\u0000 \u202e吊\n2台 ')).toBe('塔 吊 2台'))
  test('30 February and 25 o’clock are refused', () => {
    for (const text of ['2026-02-30 10:00:00', '2026-02-20 25:00:00', '2026-2-2 10:00:00'])
      expect(Moment.safeParse(text).success).toBe(false)
  })
  test('yuan become whole fen; more than two places, negatives and notations are refused', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (fen) => {
        expect(yuan().parse((fen / 100).toFixed(2))).toBe(fen)
      }),
    )
    for (const value of ['1.234', -1, '1e5', Number.NaN, Infinity, '', '12a']) expect(yuan().safeParse(value).success).toBe(false)
  })
  test('a password has eight to twenty characters of three of four kinds', () => {
    for (const strong of ['Zhuji202', 'ZHUJI@20', 'zhuji@2026zhuji@2026', 'Zhuji@Ji']) expect(isStrongPassword(strong), strong).toBe(true)
    for (const weak of ['zhujitong1', 'Zhuji20', 'zhuji@2026zhuji@20261', 'ZHUJI@JI']) expect(isStrongPassword(weak), weak).toBe(false)
  })
})

describe('roles', () => {
  test('[S6.1] workbench paths that are closed to a role lead home', () => {
    const closed = (role: Parameters<typeof mayOpen>[0]) =>
      ['cequipment', 'crequirement', 'organization', 'requirement', 'statistics', 'blacklist'].filter(
        (name) => !mayOpen(role, `/workbench/${name}/x`),
      )
    expect(closed('leaseholder')).toEqual(['cequipment', 'crequirement'])
    expect(closed('projectUser')).toEqual(['cequipment', 'crequirement', 'organization'])
    expect(closed('leaser')).toEqual(['organization', 'requirement', 'statistics'])
    expect(closed(null)).toEqual(['cequipment', 'crequirement', 'organization'])
    expect(mayOpen('leaseholder', '/workbench/crequirementx')).toBe(true)
    // A parent is closed like the pages below it, however it is written.
    expect(mayOpen('projectUser', '/workbench/organization')).toBe(false)
    expect(mayOpen('leaser', '/Workbench/Requirement')).toBe(false)
  })
  test('[S6.1] a parent of the workbench leads to the first page that the role may open', () => {
    const firsts = (role: Parameters<typeof mayOpen>[0]) =>
      ['/workbench', '/workbench/organization', '/workbench/requirement'].map((path) => firstPageUnder(role, path))
    expect(firsts('leaseholder')).toEqual([paths.ownDemands(), paths.units, paths.ownDemands()])
    expect(firsts('leaser')[0]).toBe(paths.market())
    expect(firsts('auditor')[0]).toBe(paths.admin)
    expect(firsts(null)).toEqual([paths.certification, paths.certification, paths.certification])
    expect(firstPageUnder('leaser', '/workbench/requirement/list')).toBeNull()
  })
  test('whoever signs in starts where their work is', () => {
    expect([...roles, null].map(landingOf)).toEqual([
      ...Array.from({ length: 4 }, () => '/personal'),
      '/admin',
      '/admin',
      '/personal/myapprove',
    ])
  })
  test('whoever signs in or registers goes on to the page they came for, a newcomer where they may open it', () => {
    const toQuote = paths.marketDemand(7)
    expect([goalOf('leaser', toQuote), goalOf(null, toQuote)]).toEqual([toQuote, paths.certification])
    expect([goalOf(null, '/demand/detail?id=7'), goalOf(null, 'https://elsewhere.cn')]).toEqual(['/demand/detail?id=7', paths.home])
    expect([goalOf('leaser', null), goalOf(null, '')]).toEqual([paths.personal, paths.certification])
  })
  test('[S2.8] guarded paths need a token, others do not', () => {
    for (const path of ['/personal', '/workbench/x', '/demand/detail', '/equipment/detail', '/supplier/detail'])
      for (const whole of [path, `${path}/nothing`, `/x${path}`, path.toUpperCase()]) expect(needsLogin(whole)).toBe(true)
    for (const path of ['/', '/demand', '/supplier/equdetail', '/notice/detail', '/login']) expect(needsLogin(path)).toBe(false)
  })
  test('only an approved certification gives a role; staff have theirs by kind', () => {
    const role = (userType: string, auditStatus: string, company?: CompanyAudits) =>
      roleOf({ userType, auditStatus, driverOnly: false }, company)
    expect([role('2', '2'), role('3', '1'), role('4', '4'), role('9', '0'), role('1', '2')]).toEqual([
      'leaseholder',
      null,
      null,
      'operator',
      null,
    ])
    // No record of the account outlives the certification of its company; one that never had any has not lost it.
    const company = (lessorAudit: string, lesseeAudit: string) => ({ lessorAudit, lesseeAudit })
    expect([role('4', '2', company('6', '2')), role('4', '2', company('2', '6'))]).toEqual([null, 'leaser'])
    expect([role('2', '5', company('2', '4')), role('3', '2', company('2', '6')), role('3', '2', company('0', '0'))]).toEqual([
      null,
      null,
      'projectUser',
    ])
    for (const one of roles.filter((name) => name !== 'driver')) expect(permissionsOf[one].length).toBeGreaterThan(0)
  })
  test('a driver has no permission and opens the pages about themselves alone, whatever becomes of their company', () => {
    const company = { lessorAudit: '4', lesseeAudit: '0' }
    for (const auditStatus of ['0', '2', '4']) expect(roleOf({ userType: '4', auditStatus, driverOnly: true }, company)).toBe('driver')
    expect(permissionsFor('driver', [], false)).toEqual([])
    const open = ['/personal', '/personal/aboutme', '/personal/safety/updatepassword', '/personal/feedback', '/personal/myinfo']
    for (const path of open) expect(mayOpen('driver', path), path).toBe(true)
    const closed = [
      '/workbench',
      '/workbench/contract/list',
      '/workbench/crequirement',
      '/workbench/people',
      '/personal/myapprove/rentout',
      '/admin',
    ]
    for (const path of closed) expect(mayOpen('driver', path), path).toBe(false)
    expect([landingOf('driver'), workbenchHome('driver'), firstPageUnder('driver', '/workbench')]).toEqual(['/personal', null, '/personal'])
  })
})

const sampleClauses = defaultClauses({ buildingLifting: false, rentUnits: ['M'], payment: { ratio: 70, days: 30 } })

describe('text', () => {
  const chinese = /[\u4e00-\u9fff]/
  const walk = (value: unknown, path: string): [string, string][] => {
    if (typeof value === 'string') return [[path, value]]
    if (typeof value === 'function') {
      const first = path.includes('.sentences.') ? sampleClauses : {}
      return [[path, String((value as (...args: unknown[]) => unknown)(first, 1, 2, 3))]]
    }
    return Object.entries(value as object).flatMap(([key, inner]) => walk(inner, `${path}.${key}`))
  }
  test('[S9.1] English contains no Chinese but the name of the other language, and both have the same keys', () => {
    expect(walk(en, 'text').filter(([path, words]) => chinese.test(words) && path !== 'text.site.action.language')).toEqual([])
    const keys = (text: unknown) => new Set(walk(text, '').map(([path]) => path))
    expect(keys(en)).toEqual(keys(zhCn))
  })
})

describe('every table of moves', () => {
  const tables = [
    ['demand', demandMoves, demandStatuses, ['7', '8', '9']],
    ['quote', quoteMoves, quoteStatuses, ['2', '7', '8', '9', '10']],
    ['restriction list', blacklistMoves, blacklistStatuses, ['4', '5', '6']],
    ['transfer', transferMoves, transferStatuses, ['2', '3', '4']],
    ['equipment', equipmentMoves, auditStatuses, ['2']],
    ['contract', contractMoves, contractStatuses, ['3', '5', '6', '7']],
    ['amendment', changeMoves, changeStatuses, ['3', '4', '5']],
  ] as const
  test.each(tables)(
    '[S7.6] %s: a walk of any moves stays among known states, and only its ends have no way out',
    (_, moves, statuses, ends) => {
      const table = Object.entries(moves as Moves<string, string>)
      const actors = [...new Set(table.flatMap(([, { by }]) => by))]
      fc.assert(
        fc.property(
          fc.constantFrom(...statuses),
          fc.array(fc.tuple(fc.nat(), fc.constantFrom(...actors)), { maxLength: 30 }),
          (start, steps) => {
            let status: string = start
            for (const [choice, actor] of steps) {
              const open = table.filter(([, { from }]) => from.includes(status))
              expect(open.length === 0).toBe((ends as readonly string[]).includes(status))
              const [name, move] = table[choice % table.length] ?? []
              if (!name || !move) continue
              const may = canMove(moves as Moves<string, string>, name, status, actor)
              expect(may).toBe(move.from.includes(status) && move.by.includes(actor))
              if (may) status = move.to
            }
            expect(statuses as readonly string[]).toContain(status)
          },
        ),
      )
    },
  )
})
