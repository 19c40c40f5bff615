import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, dayOf } from '#shared/calendar.ts'
import * as contract from '#shared/certification/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { applicants, idCard } from '#test/applicants.ts'
import { monday, openWorld } from '#test/world.ts'
import { insertSession } from '../account/sessions.ts'
import { daily } from '#test/daily.ts'

const world = await openWorld()
const { db, cast, clock } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const today = dayOf(monday)
const { newcomer, rentout, papers, mine, me, review } = applicants(world)

describe('validity', () => {
  test('reminders at 90, 60, 30, 7 and 0 days, each once; the day after, the role ends', async () => {
    const person = await newcomer()
    const validTo = addDays(today, 100)
    const documents = await papers(person, [...idCard, 'safetyPermit', 'erectionQualification'], { safetyPermit: validTo })
    const { data } = await person.call(contract.submitRentout, { body: { form: rentout(30, { ownErection: true }), documents } })
    await cast.operator.call(contract.passCertification, {
      params: { id: data.id },
      body: { version: (await review(cast.operator, data.id)).version },
    })
    expect((await mine(person))[0]?.validTo).toBe(validTo)
    const told: number[] = []
    for (let days = 0; days <= 101; days++) {
      clock.set(new Date(monday.getTime() + days * 86_400_000))
      await daily(world.services)
      await daily(world.services)
      const { rows } = (await person.call(listOwnMessages, { query: { systemSubject: '证照到期提醒', pageSize: 100 } })).data
      if (rows.length > told.length) told.push(100 - days)
    }
    expect(told).toEqual([90, 60, 30, 7, 0])
    expect((await mine(person))[0]?.status).toBe('4')
    expect(await me(person)).toMatchObject({ roles: [], user: { auditStatus: 4 } })
    expect((await person.call(listOwnMessages, { query: { systemSubject: '企业认证审核通知' } })).data.rows[0]?.title).toBe('认证已过期')
    // Renewed papers bring it back.
    const operator = world.caller(await insertSession({ db, now: clock.now(), address: '', agent: '' }, { accountId: cast.operator.id }))
    const renewed = await papers(person, [...idCard, 'safetyPermit', 'erectionQualification'], { safetyPermit: addDays(today, 900) })
    const again = await person.call(contract.submitRentout, { body: { form: rentout(30, { ownErection: true }), documents: renewed } })
    expect(again.code).toBe(200)
    await operator(contract.passCertification, {
      params: { id: data.id },
      body: { version: (await operator(contract.getCertification, { params: { id: data.id } })).data.version },
    })
    expect((await me(person)).roles).toEqual(['leaser'])
  })
})
