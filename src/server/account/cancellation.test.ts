import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#shared/account/contract.ts'
import { cancellationStatus } from '#shared/account/rules.ts'
import { blacklistStatus } from '#shared/blacklist/rules.ts'
import { getContract } from '#shared/contract/contract.ts'
import { voidContract } from '#shared/contract/moves.ts'
import { shelfStatus } from '#shared/equipment/rules.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { quoteStatus } from '#shared/quote/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { lockAccountRow } from '#server/actor/actor.ts'
import { keyedHash } from '#server/actor/keyed-hash.ts'
import { nameOf } from '#server/actor/name.ts'
import { smsCodes } from '#test/sms-codes.ts'
import { inTransaction, whileChanging } from '#test/held-rows.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { contractSteps } from '#test/given-contract.ts'
import { daily } from '#test/daily.ts'
import type { Tx } from '../db/connect.ts'
import { filesAttachedIn } from '../upload/attached.ts'
import { erase, finishCancellations } from './cancellation.ts'

const world = await openWorld()
const { db, cast, clock } = world
afterAll(() => world.close())

beforeEach(() => clock.set(monday))

const { after, askFor, codeFor, register } = smsCodes(world)

describe('[S7.2][S2.15] cancellation', () => {
  const newcomer = async (phonenumber: string) => {
    const { data } = await register(await codeFor('register', phonenumber), { phonenumber })
    const call = world.caller(data.access_token)
    const { data: me } = await call(contract.getUserInfo, {})
    return { call, id: me.user.userId }
  }
  const cancel = async (call: typeof cast.visitor.call, phonenumber: string) =>
    call(contract.requestCancellation, { body: { reason: '不再使用', smsCode: await codeFor('cancel', phonenumber, call) } })

  test('after seven days the person is erased, the number is free and the files are gone', async () => {
    const number = '14444440001'
    const { call, id } = await newcomer(number)
    const { data: check } = await call(contract.checkCancellation, {})
    expect(check).toMatchObject({ phonenumber: '144****0001', coolingDays: 7 })
    expect(check.points.every(({ count }) => count === 0)).toBe(true)
    // A paper that was uploaded and never handed in.
    const { id: fileId } = await db
      .insertInto('file')
      .values({ name: 'id.png', size: 3, mime: 'image/png', sha256: Buffer.alloc(32), access: 'owner', accountId: id })
      .returning('id')
      .executeTakeFirstOrThrow()
    await world.services.storage.put(fileId, Buffer.from('png'))
    const { code, data } = await cancel(call, number)
    expect(code).toBe(200)
    expect(data.dueAt).toMatch(/^2026-11-30 /)
    expect((await call(contract.getUserInfo, {})).code).toBe(401)
    after(7 * 86_400 - 120)
    await daily(world.services)
    expect((await db.selectFrom('account').where('id', '=', id).select('delFlag').executeTakeFirstOrThrow()).delFlag).toBe('0')
    after(240)
    await daily(world.services)
    const row = await db.selectFrom('account').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ phonenumber: null, name: '', nickName: `已注销用户${id}`, delFlag: '2', passwordHash: 'none' })
    const { who } = await db.selectFrom('account').where('id', '=', id).select(nameOf('account').as('who')).executeTakeFirstOrThrow()
    expect(who).toBe(`已注销用户${id}`)
    expect(await db.selectFrom('file').where('id', '=', fileId).select('id').executeTakeFirst()).toBeUndefined()
    expect(await world.services.storage.get(fileId)).toBeNull()
    for (const table of ['session', 'signIn', 'message', 'smsCode'] as const) {
      const query = db.selectFrom(table)
      const { n } = await (
        table === 'smsCode'
          ? query.where('phoneHash', '=', keyedHash(world.services.secret, 'phone', number))
          : query.where('accountId', '=', id)
      )
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      expect(n, table).toBe(0)
    }
    expect((await cast.visitor.call(contract.webLogin, { body: { phonenumber: number, password: 'Juzi#2026' } })).code).toBe(500)
    expect((await newcomer(number)).id).not.toBe(id)
  })

  test('whoever handed in a file of a contract is erased, and the file stays with the contract', async () => {
    const { id: contractId } = await contractSteps(world).givenDraft()
    const number = '14444440004'
    const { call, id } = await newcomer(number)
    const file = { name: 'scan.pdf', size: 3, mime: 'application/pdf', sha256: Buffer.alloc(32), accountId: id } as const
    const { id: fileId } = await db.insertInto('file').values(file).returning('id').executeTakeFirstOrThrow()
    await world.services.storage.put(fileId, Buffer.from('pdf'))
    await db.insertInto('contractFile').values({ contractId, kind: 'scan', fileId, orderNum: 0 }).execute()
    expect((await cancel(call, number)).code).toBe(200)
    after(8 * 86_400)
    await daily(world.services)
    expect((await db.selectFrom('account').where('id', '=', id).select('delFlag').executeTakeFirstOrThrow()).delFlag).toBe('2')
    expect((await world.services.storage.get(fileId))?.toString()).toBe('pdf')
  })

  test('no file is erased that any table of the database refers to', async () => {
    const { rows } = await sql<{ table: string; column: string }>`
      select c.conrelid::regclass::text as table, a.attname as column from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
      where c.contype = 'f' and c.confrelid = 'file'::regclass`.execute(db)
    expect(rows.map(({ table }) => table).toSorted()).toEqual([...filesAttachedIn].toSorted())
    expect(new Set(rows.map(({ column }) => column))).toEqual(new Set(['file_id']))
  })

  test('signing in within the seven days takes it back and says so', async () => {
    const number = '14444440002'
    const { call, id } = await newcomer(number)
    await cancel(call, number)
    after(6 * 86_400)
    const { data } = await cast.visitor.call(contract.webLogin, { body: { phonenumber: number, password: 'Juzi#2026' } })
    expect(data.cancellationWithdrawn).toBe(true)
    const { rows } = (await world.caller(data.access_token)(listOwnMessages, {})).data
    expect(rows[0]?.title).toBe('注销申请已撤回')
    after(2 * 86_400)
    await daily(world.services)
    expect((await db.selectFrom('account').where('id', '=', id).select('delFlag').executeTakeFirstOrThrow()).delFlag).toBe('0')
  })

  test('a sign-in at the moment of the erasure takes it back', async () => {
    const number = '14444440006'
    const { call, id } = await newcomer(number)
    await cancel(call, number)
    after(8 * 86_400)
    // As a sign-in does: the account first, then its cancellation.
    const signIn = {
      begin: (tx: Tx) => lockAccountRow(tx, id),
      end: (tx: Tx) => tx.updateTable('cancellation').set({ status: cancellationStatus.withdrawn }).where('accountId', '=', id).execute(),
    }
    expect(await whileChanging(db, signIn, [() => finishCancellations(world.services)])).toEqual([0])
    expect((await db.selectFrom('account').where('id', '=', id).select('delFlag').executeTakeFirstOrThrow()).delFlag).toBe('0')
  })

  test.each(['certification', 'company'] as const)(
    'the erasure waits for whoever writes the %s first, and does not hold the account meanwhile',
    async (table) => {
      const phonenumber = table === 'company' ? '14444440007' : '14444440008'
      const { call, id } = await newcomer(phonenumber)
      await cancel(call, phonenumber)
      after(8 * 86_400)
      await db.updateTable('account').set({ companyId: cast.lessor2.companyId }).where('id', '=', id).execute()
      await db
        .insertInto('certification')
        .values({
          accountId: id,
          kind: 'lease',
          status: '1',
          name: '渝建一公司',
          form: '{}',
          createTime: clock.now(),
          updateTime: clock.now(),
        })
        .execute()
      const review = {
        begin: (tx: Tx) => sql`select from ${sql.table(table)} for update`.execute(tx),
        end: (tx: Tx) => sql`select from account where id = ${id} for no key update nowait`.execute(tx),
      }
      expect(await whileChanging(db, review, [() => finishCancellations(world.services)])).toEqual([1])
    },
  )

  test('the code goes to the own phone, whatever number the request names', async () => {
    const own = await db.selectFrom('account').where('id', '=', cast.stranger.id).select('phonenumber').executeTakeFirstOrThrow()
    expect((await askFor('cancel', '14499999998', cast.stranger.call)).code).toBe(200)
    expect(world.letters.at(-1)).toMatchObject({ phonenumber: own.phonenumber, template: 'code' })
  })

  test('what is open stands in the way, with where to settle it', async () => {
    clock.set(monday)
    await world.givenDemand()
    const { data } = await cast.project.call(contract.checkCancellation, {})
    expect(data.points.find(({ kind }) => kind === 'demands')).toEqual({ kind: 'demands', count: 1, link: '/workbench/requirement/list' })
    const refused = await cast.project.call(contract.requestCancellation, { body: { reason: '不用了', smsCode: '123456' } })
    expect(refused.code).toBe(409)
    // The lessee's administrator is the last one while others work under them.
    const last = (await cast.lessee.call(contract.checkCancellation, {})).data.points.find(({ kind }) => kind === 'lastAdmin')
    expect(last?.count).toBe(1)
  })

  test('a quote to confirm is open, and so is an entry of the restriction list in its hearing or appeal', async () => {
    clock.set(monday)
    const pointOf = async (kind: string) =>
      (await cast.lessor2.call(contract.checkCancellation, {})).data.points.find((point) => point.kind === kind)
    await world.givenQuote(cast.lessor2, await world.givenDemand(), [await world.givenMachine(cast.lessor2.companyId)])
    const open = (await pointOf('quotes'))?.count
    expect(open).toBeGreaterThan(0)
    await db
      .updateTable('quote')
      .set({ status: quoteStatus.toConfirm })
      .where('companyId', '=', cast.lessor2.companyId)
      .where('status', '=', quoteStatus.quoted)
      .execute()
    expect((await pointOf('quotes'))?.count).toBe(open)
    expect((await pointOf('blacklist'))?.count).toBe(0)
    const entry = { companyId: cast.lessor2.companyId, subjectKind: 'company', level: 2, scopeDeptId: world.depts.root } as const
    const { id } = await db
      .insertInto('blacklist')
      .values({
        ...entry,
        blacklistCode: 'HM1',
        reasonCode: 'quit',
        facts: '中选后两次拒不进场'.repeat(6),
        fromDay: '2026-12-01',
        toDay: '2027-12-01',
        status: blacklistStatus.notified,
        proposerId: cast.project.id,
        createTime: monday,
        updateTime: monday,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await pointOf('blacklist')).toMatchObject({ count: 1, link: '/workbench/blacklist' })
    for (const [status, count] of [
      [blacklistStatus.appealed, 1],
      [blacklistStatus.inForce, 0],
    ] as const) {
      await db.updateTable('blacklist').set({ status }).where('id', '=', id).execute()
      expect((await pointOf('blacklist'))?.count).toBe(count)
    }
  })

  /** A company of the cast as a lessee, too. */
  const rootOf = async (companyId: number) => {
    const root = { deptName: '也承租', companyId, deptType: '1', projectType: 'railway', provinceId: 510_000, cityId: 510_100 } as const
    return (await db.insertInto('dept').values(root).returning('id').executeTakeFirstOrThrow()).id
  }

  describe('the last administrator', () => {
    const isLast = async ({ call }: Pick<Person, 'call'>) =>
      (await call(contract.checkCancellation, {})).data.points.find(({ kind }) => kind === 'lastAdmin')?.count === 1

    test('of the platform does not leave', async () => {
      expect(await isLast(cast.operator)).toBe(true)
      await db.updateTable('account').set({ isAdmin: true }).where('id', '=', cast.clerk.id).execute()
      expect(await isLast(cast.operator)).toBe(false)
      await db.updateTable('account').set({ isAdmin: false }).where('id', '=', cast.clerk.id).execute()
    })

    test('of the lessors of a company does not leave them because its lessees have one, and is not held by who only audits it', async () => {
      const companyId = cast.lessor2.companyId
      await world.givenPerson({ userType: '2', deptId: await rootOf(companyId), companyId, certSign: 2, isAdmin: true }, 'samecompany')
      await world.givenPerson({ userType: '8', companyId }, 'itsauditor')
      expect(await isLast(cast.lessor2)).toBe(false)
      const colleague = await world.givenPerson({ userType: '4', companyId, certSign: 1 }, 'colleague')
      expect(await isLast(cast.lessor2)).toBe(true)
      await db.updateTable('account').set({ isAdmin: true }).where('id', '=', colleague.id).execute()
      expect(await isLast(cast.lessor2)).toBe(false)
    })

    test('of an organisation does not leave it to those of its units, and one of a unit leaves it to those above', async () => {
      const { companyId } = cast.lessee
      const admin = { userType: '2', companyId, certSign: 2, isAdmin: true } as const
      const head = await world.givenPerson({ ...admin, deptId: world.depts.unit }, 'unithead')
      expect([await isLast(cast.lessee), await isLast(head)]).toEqual([true, false])
      const second = await world.givenPerson({ ...admin, deptId: world.depts.root }, 'secondatroot')
      expect([await isLast(cast.lessee), await isLast(second)]).toEqual([false, false])
      await db.updateTable('account').set({ status: '1' }).where('id', '=', second.id).execute()
    })

    test('of the platform whose cooling period is over waits for a decision', async () => {
      const { id } = await db
        .insertInto('cancellation')
        .values({ accountId: cast.operator.id, reason: '不再使用', requestedAt: monday, dueAt: monday })
        .returning('id')
        .executeTakeFirstOrThrow()
      await finishCancellations(world.services)
      expect(await db.selectFrom('cancellation').where('id', '=', id).select('status').executeTakeFirst()).toEqual({ status: '2' })
    })
  })

  test('the machines of a lessor leave the shelf with its last person, whoever rents or audits under its name', async () => {
    const companyId = cast.lapsed.companyId
    const id = await world.givenMachine(companyId)
    await world.givenPerson({ userType: '2', deptId: await rootOf(companyId), companyId, certSign: 2 }, 'itslessee')
    await world.givenPerson({ userType: '8', companyId }, 'anotherauditor')
    const { secret } = world.services
    const erased = (accountId: number) => inTransaction(db, (tx) => erase({ db: tx, secret, now: clock.now() }, accountId))
    const shelf = () => db.selectFrom('equipment').where('id', '=', id).select(['shelfStatus', 'version']).executeTakeFirstOrThrow()
    const before = await shelf()
    await erased(cast.lapsed.id)
    // As whoever else takes a fleet off, in portions.
    expect(await shelf()).toEqual({ shelfStatus: shelfStatus.off, version: before.version + 1 })
  })

  test('another administrator becomes the contact of the company whose contact is erased', async () => {
    const companyId = cast.lessor.companyId
    const company = () => db.selectFrom('company').where('id', '=', companyId).select(['contactName', 'contactPhone']).executeTakeFirst()
    const leaver = await world.givenPerson({ userType: '4', companyId, certSign: 1 }, 'itscontact')
    const phones = await db.selectFrom('account').where('id', 'in', [leaver.id, cast.lessor.id]).select(['id', 'phonenumber']).execute()
    const phoneOf = (id: number) => phones.find((one) => one.id === id)?.phonenumber ?? ''
    await db
      .updateTable('company')
      .set({ contactName: '陈调度', contactPhone: phoneOf(leaver.id) })
      .where('id', '=', companyId)
      .execute()
    await db.updateTable('account').set({ name: '何经理' }).where('id', '=', cast.lessor.id).execute()
    const { secret } = world.services
    await inTransaction(db, (tx) => erase({ db: tx, secret, now: clock.now() }, leaver.id))
    expect(await company()).toEqual({ contactName: '何经理', contactPhone: phoneOf(cast.lessor.id) })
  })

  test('while one waits for the operator, another is refused before its code is used up, and the page says since when', async () => {
    const number = '14444440005'
    const { call, id } = await newcomer(number)
    await cancel(call, number)
    await db.updateTable('cancellation').set({ status: cancellationStatus.stopped }).where('accountId', '=', id).execute()
    const { data } = await cast.visitor.call(contract.webLogin, { body: { phonenumber: number, password: 'Juzi#2026' } })
    const again = world.caller(data.access_token)
    expect((await again(contract.checkCancellation, {})).data.waitingSince).toMatch(/^2026-11-23 /)
    expect((await cancel(again, number)).msg).toBe(zhCn.refusal.cancellation_waiting)
    const codes = db.selectFrom('smsCode').where('type', '=', 'cancel').where('usedAt', 'is', null)
    expect(
      await codes
        .where('phoneHash', '=', keyedHash(world.services.secret, 'phone', number))
        .select('id')
        .execute(),
    ).toHaveLength(1)
  })

  test('something that came up meanwhile stops it for the operator', async () => {
    const number = '14444440003'
    const { call, id } = await newcomer(number)
    await cancel(call, number)
    const { id: demand } = await world.givenDemand()
    await db.updateTable('demand').set({ accountId: id }).where('id', '=', demand).execute()
    after(8 * 86_400)
    await daily(world.services)
    expect(await db.selectFrom('cancellation').where('accountId', '=', id).select('status').executeTakeFirstOrThrow()).toEqual({
      status: '2',
    })
    expect((await db.selectFrom('account').where('id', '=', id).select('delFlag').executeTakeFirstOrThrow()).delFlag).toBe('0')
  })
})

test('an erased person is 已注销用户 in the history of a contract', async () => {
  const { id } = await contractSteps(world).givenDraft()
  expect((await cast.project.call(voidContract, { params: { id }, body: { reason: '方案调整' } })).code).toBe(200)
  await inTransaction(db, (tx) => erase({ db: tx, secret: world.services.secret, now: clock.now() }, cast.project.id))
  const { events } = (await cast.auditor.call(getContract, { params: { id } })).data
  expect(events.map(({ who }) => who)).toContain(zhCn.personal.cancellation.erased(cast.project.id))
})
