import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listContractChanges } from '#shared/contract/changes.ts'
import * as contract from '#shared/contract/contract.ts'
import { lookAtContract } from '#shared/contract/manage.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { changeSteps, contractSteps } from '#test/given-contract.ts'
import { recordSteps } from '#test/contract-record.ts'
import { inTransaction } from '#test/held-rows.ts'
import { monday, openWorld } from '#test/world.ts'
import { applyDueAccounts } from './account.ts'
import { sha256 } from './digest.ts'
import { ownNotes } from './history.ts'
import { storeVersion } from './versions.ts'

const world = await openWorld()
const { db, cast, clock, services } = world
const { givenContract, givenDraft, send, signCode, pass } = contractSteps(world)
const { read, propose, confirm } = changeSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const { recordOf, faultFor, tampered, columnsOf, givenChain } = recordSteps(world)
let id = 0
let steps = 0
beforeAll(async () => {
  ;({ id, steps } = await givenChain())
})

/** Another value of a column that its type and constraints allow. */
function other(table: string, name: string, type: string): string {
  if (name === 'detail_form') return '3 - detail_form'
  if (name === 'side') return `case when side = 'lessee' then 'lessor' else 'lessee' end`
  if (name === 'account_id') return `(select id from account where id is distinct from t.account_id order by id limit 1)`
  // The other contract may have a step of this number already.
  if (name === 'contract_id')
    return `(select id from contract where id <> t.contract_id order by id limit 1)${table === 'contract_event' ? ', seq = seq + 1000' : ''}`
  if (name === 'seq' || name === 'revision') return `${name} + 1000`
  if (name === 'text_hash' || name.endsWith('hash'))
    return `overlay(${name} placing (case when left(${name}, 1) = 'a' then 'b' else 'a' end) from 1 for 1)`
  switch (type) {
    case 'timestamp with time zone':
      return `${name} + interval '1 microsecond'`
    case 'date':
      return `${name} + 1`
    case 'bigint':
      return `coalesce(${name}, 0) + 1`
    case 'jsonb':
      return name === 'clauses'
        ? `jsonb_set(clauses, '{payDays}', to_jsonb((clauses ->> 'payDays')::int + 1))`
        : `jsonb_set(lines, '{0,unitPriceFen}', to_jsonb((lines -> 0 ->> 'unitPriceFen')::bigint + 1))`
    default:
      return `coalesce(${name}, '') || '.'`
  }
}

describe('a changed byte of what is stored shows', () => {
  test('an unchanged contract fits for both sides and the auditor, from the demand on', async () => {
    for (const who of ['project', 'lessor', 'auditor'] as const) {
      expect(await faultFor(who, id)).toBeNull()
      const { links, demandLinks, demandHash, versions, standing } = await recordOf(who, id)
      expect(links.map(({ move }) => move)).toEqual(['draft', 'send', 'confirm', 'version', 'persons'])
      expect(demandLinks.map(({ hash }) => hash)).toContain(demandHash)
      expect([versions.length, standing?.isConfirmed]).toEqual([1, true])
    }
  })

  test('in every column of every event, for both sides', async () => {
    // The row number is no fact: `seq` is the place in the chain, and nothing refers to the id.
    const columns = (await columnsOf('contract_event')).filter(({ name }) => name !== 'id')
    expect(columns.length).toBeGreaterThan(14)
    for (let seq = 1; seq <= steps; seq++)
      for (const { name, type } of columns) {
        const change = `update contract_event t set ${name} = ${other('contract_event', name, type)} where contract_id = ${id} and seq = ${seq}`
        const found = await tampered('contract_event', change, () => Promise.all([faultFor('project', id), faultFor('lessor', id)]))
        for (const fault of found) expect(fault, `${name} of step ${seq}`).toMatchObject({ part: expect.stringMatching(/link|cut/) })
        // A step that stays in its place is named itself.
        if (!['seq', 'contract_id'].includes(name))
          expect(found, `${name} of step ${seq}`).toEqual([
            { part: 'link', at: seq },
            { part: 'link', at: seq },
          ])
      }
  }, 120_000)

  test('in every column of a version', async () => {
    for (const { name, type } of await columnsOf('contract_version')) {
      const change = `update contract_version t set ${name} = ${other('contract_version', name, type)} where contract_id = ${id}`
      for (const who of ['project', 'lessor'] as const)
        expect(await tampered('contract_version', change, () => faultFor(who, id)), name).toMatchObject({ part: 'version' })
    }
  })

  test('a version from before an English text was kept beside the binding one still fits', async () => {
    const old = (await givenContract()).id
    const { clauses, lines } = await db
      .selectFrom('contractVersion')
      .where('contractId', '=', old)
      .select(['clauses', sql<string>`lines::text`.as('lines')])
      .executeTakeFirstOrThrow()
    const { text, textHash } = await db.selectFrom('contract').where('id', '=', old).select(['text', 'textHash']).executeTakeFirstOrThrow()
    const version = { contractId: old, revision: 2, fromDay: '2027-01-01', text, textHash: textHash ?? '', textEn: null }
    await inTransaction(db, (tx) =>
      storeVersion({ db: tx, now: clock.now() }, { ...version, clauses, lines: JSON.parse(lines) as object[] }),
    )
    await db.updateTable('contract').set({ revision: 2, textEn: '' }).where('id', '=', old).execute()
    expect([await faultFor('project', old), await faultFor('lessor', old)]).toEqual([null, null])
    const { fact } = (await recordOf('lessor', old)).versions[1] ?? expect.fail()
    expect(JSON.parse(fact)).toHaveLength(7)
    const change = `update contract_version set text_en = 'x' where contract_id = ${old} and revision = 2`
    expect(await tampered('contract_version', change, () => faultFor('lessor', old))).toEqual({ part: 'version', at: 2 })
  })

  test.each([
    ['text', `text = text || ' '`],
    ['English text', `text_en = text_en || ' '`],
    ['clauses', `clauses = jsonb_set(clauses, '{payDays}', '59')`],
    ['the hash', `text_hash = repeat('a', 64)`],
    ['the number of the version', 'revision = revision + 1'],
    ['the sum', 'amount_fen = amount_fen + 1, net_fen = net_fen + 1'],
    ['the tax', 'tax_fen = tax_fen + 1, net_fen = net_fen - 1'],
    ['the account', `bank_account = '6222000000000000999'`],
    ['the bank', `bank_name = '另一家银行'`],
    ['the salt of the account', `account_salt = ''`],
  ])('in %s that the contract shows', async (_, change) => {
    expect(await tampered('contract', `update contract set ${change} where id = ${id}`, () => faultFor('lessor', id))).toEqual({
      part: 'standing',
      at: null,
    })
  })

  test.each([
    ['price', 'unit_price_fen = unit_price_fen + 1'],
    ['tax rate', 'tax_rate = 6'],
    ['fee', 'exit_fee_fen = exit_fee_fen + 1'],
    ['end', 'plan_end = plan_end + 1'],
    ['cancellation', `status = '3'`],
    ['number of shifts', `shift_mode = 'double'`],
  ])('in the %s of a position', async (_, change) => {
    const found = await tampered('contract_line', `update contract_line set ${change} where contract_id = ${id}`, () =>
      faultFor('lessor', id),
    )
    expect(found).toEqual({ part: 'standing', at: null })
  })

  test('in an amendment, and in the account that holds by it, for those too who may not see the account', async () => {
    const amended = (await givenContract()).id
    const account = { kind: 'account', bankName: '中国建设银行成都分行', bankAccount: '6217000000000000001' }
    const { data } = await propose(cast.lessor, amended, account, { smsCode: await signCode(cast.lessor, amended, account) })
    const { changeCode } = (await cast.project.call(listContractChanges, { params: { id: amended } })).data[0] ?? expect.fail()
    expect((await confirm(cast.project, data.id)).code).toBe(200)
    pass(25 * 3600)
    await applyDueAccounts(services)
    const everybody = () => Promise.all((['project', 'lessor', 'auditor'] as const).map((who) => faultFor(who, amended)))
    expect(await everybody()).toEqual([null, null, null])
    const { changes, standing } = await recordOf('auditor', amended)
    expect([changes, standing?.account]).toEqual([[{ changeCode, fact: null }], null])
    const other = `input = jsonb_set(input, '{terms,bankAccount}', '"6217000000000000002"')`
    for (const change of [other, 'from_day = from_day + 1', `reason = reason || '.'`, `account_salt = account_salt || '.'`]) {
      const found = await tampered('contract_change', `update contract_change set ${change} where id = ${data.id}`, everybody)
      expect(found, change).toEqual(Array.from({ length: 3 }, () => ({ part: 'change', at: changeCode })))
    }
    const swapped = `update contract set bank_account = '6217000000000000002' where id = ${amended}`
    expect(await tampered('contract', swapped, everybody)).toEqual(Array.from({ length: 3 }, () => ({ part: 'standing', at: null })))
    await expect(sql.raw(`update contract_change set reason = 'x' where id = ${data.id}`).execute(db)).rejects.toThrow(/only added/)
  })

  test('nobody who may not see the account can test a guess of it by the hashes of the chain; whoever sees it gets the salt', async () => {
    const amended = (await givenContract()).id
    const first = await read(amended)
    const account = { kind: 'account', bankName: '中国建设银行成都分行', bankAccount: '62170001' }
    const { data } = await propose(cast.lessor, amended, account, { smsCode: await signCode(cast.lessor, amended, account) })
    expect((await confirm(cast.project, data.id)).code).toBe(200)
    pass(25 * 3600)
    await applyDueAccounts(services)
    const { salts } = await db
      .selectFrom('contract')
      .innerJoin('contractChange', 'contractChange.contractId', 'contract.id')
      .where('contract.id', '=', amended)
      .select(sql<string[]>`array[contract.account_salt, contract_change.account_salt]`.as('salts'))
      .executeTakeFirstOrThrow()
    expect(new Set(salts).size).toBe(2)
    for (const salt of salts) expect(salt).toMatch(/^[0-9a-f-]{36}$/)
    const whole = await recordOf('auditor', amended)
    const digests = whole.links.map(({ text }) => (JSON.parse(text) as unknown[])[6])
    const agreed = (JSON.parse(whole.versions[0]?.fact ?? '[]') as unknown[])[5]
    const { fact } = await db
      .selectFrom('contractChange as c')
      .where('id', '=', data.id)
      .select(sql<string>`contract_change_text(c)`.as('fact'))
      .executeTakeFirstOrThrow()
    const guesses = [
      [agreed, first.bankName, first.bankAccount],
      [account.bankName, account.bankAccount],
      (JSON.parse(fact) as unknown[]).slice(0, 7),
    ].map((parts) => sha256(JSON.stringify(parts)))
    for (const guess of guesses) expect(digests).not.toContain(guess)
    expect(digests).toContain(sha256(fact))
    for (const salt of salts) expect(JSON.stringify(whole)).not.toContain(salt)
    for (const who of ['project', 'lessor'] as const)
      for (const salt of salts) expect(JSON.stringify(await recordOf(who, amended))).toContain(salt)
  })

  test('a contract and an amendment whose account was hashed without a salt still fit, and a change of them shows', async () => {
    const old = (await givenContract()).id
    const everybody = () => Promise.all((['project', 'lessor', 'auditor'] as const).map((who) => faultFor(who, old)))
    const account = { kind: 'account', bankName: '中国建设银行成都分行', bankAccount: '6217000000000000001' }
    const { data } = await propose(cast.lessor, old, account, { smsCode: await signCode(cast.lessor, old, account) })
    await sql.raw('alter table contract_event disable trigger user; alter table contract_change disable trigger user').execute(db)
    const { textHash, bankName, bankAccount } = await db
      .selectFrom('contract')
      .where('id', '=', old)
      .select(['textHash', 'bankName', 'bankAccount'])
      .executeTakeFirstOrThrow()
    await db.updateTable('contract').set({ accountSalt: '' }).where('id', '=', old).execute()
    await db.updateTable('contractChange').set({ accountSalt: '' }).where('id', '=', data.id).execute()
    const confirmed = sha256(JSON.stringify([textHash, bankName, bankAccount]))
    await sql`update contract_event e set digest = case move when 'confirm' then ${confirmed} when 'change' then (select sha256_hex(contract_change_text(c)) from contract_change c where c.id = e.ref_id) else digest end where contract_id = ${old}`.execute(
      db,
    )
    const events = await db.selectFrom('contractEvent').where('contractId', '=', old).orderBy('seq').select('id').execute()
    for (const event of events)
      await sql`update contract_event e set hash = sha256_hex(coalesce((select hash from contract_event l where l.contract_id = e.contract_id and l.seq = e.seq - 1), '')
        || E'\n' || contract_event_text(e)) where id = ${event.id}`.execute(db)
    await sql.raw('alter table contract_event enable trigger user; alter table contract_change enable trigger user').execute(db)
    expect(await everybody()).toEqual([null, null, null])
    const swapped = `update contract set bank_account = '6222000000000000999' where id = ${old}`
    expect(await tampered('contract', swapped, everybody)).toEqual(Array.from({ length: 3 }, () => ({ part: 'standing', at: null })))
    expect((await confirm(cast.project, data.id)).code).toBe(200)
    pass(25 * 3600)
    await applyDueAccounts(services)
    expect(await everybody()).toEqual([null, null, null])
  })

  test('an amendment from before its hash could be made again fits by the event that was entered later, and so does its change', async () => {
    const old = (await givenContract()).id
    const [line] = (await read(old)).lines
    const { data } = await propose(cast.project, old, { kind: 'extend', lines: [{ lineId: line?.id, value: '2027-04-13' }] })
    const oldForm = `update contract_event set digest = sha256_hex('old') where contract_id = ${old} and move = 'change'`
    await sql.raw('alter table contract_event disable trigger user').execute(db)
    await sql.raw(oldForm).execute(db)
    await sql
      .raw(
        `update contract_event e set hash = sha256_hex((select hash from contract_event l where l.contract_id = e.contract_id and l.seq = e.seq - 1)
          || E'\\n' || contract_event_text(e)) where contract_id = ${old} and move = 'change'`,
      )
      .execute(db)
    await sql.raw('alter table contract_event enable trigger user').execute(db)
    expect(await faultFor('lessor', old)).toMatchObject({ part: 'change' })
    await sql
      .raw(
        `insert into contract_event (contract_id, at, move, ref_kind, ref_id, digest, note)
          select contract_id, now(), 'changeRecord', 'change', id, sha256_hex(contract_change_text(c)), change_code from contract_change c where id = ${data.id}`,
      )
      .execute(db)
    expect([await faultFor('project', old), await faultFor('lessor', old)]).toEqual([null, null])
    const change = `update contract_change set from_day = from_day + 1 where id = ${data.id}`
    expect(await tampered('contract_change', change, () => faultFor('lessor', old))).toMatchObject({ part: 'change' })
  })

  test('in the text that waits for the lessor', async () => {
    const draft = await givenDraft()
    await send(cast.project, draft.id)
    expect(await faultFor('lessor', draft.id)).toBeNull()
    const change = `update contract set text = text || ' ' where id = ${draft.id}`
    expect(await tampered('contract', change, () => faultFor('lessor', draft.id))).toEqual({ part: 'standing', at: null })
  })

  test('in the chain of the demand that the contract begins with', async () => {
    const { demandId } = await db.selectFrom('contract').where('id', '=', id).select('demandId').executeTakeFirstOrThrow()
    const change = `update demand_event set note = note || '.', move = 'opem' where demand_id = ${demandId} and seq = 2`
    expect(await tampered('demand_event', change, () => faultFor('lessor', id))).toEqual({ part: 'demand', at: 2 })
  })

  test('a step that is left out, or two that change places', async () => {
    const [a, b] = [2, 3]
    expect(
      await tampered('contract_event', `delete from contract_event where contract_id = ${id} and seq = ${a}`, () =>
        faultFor('project', id),
      ),
    ).toEqual({ part: 'link', at: 3 })
    const swap = `update contract_event set seq = 1000 + seq where contract_id = ${id} and seq in (${a}, ${b});
      update contract_event set seq = case seq when 1002 then 3 else 2 end where contract_id = ${id} and seq > 1000`
    expect(await tampered('contract_event', swap, () => faultFor('lessor', id))).toEqual({ part: 'link', at: 2 })
  })

  test('who acted is named to their own side, and why a unit approves stays with it', async () => {
    const byLessee = (record: Awaited<ReturnType<typeof recordOf>>) => record.links.find(({ move }) => move === 'send')
    const account = `[${cast.project.id}, `
    expect(byLessee(await recordOf('project', id))?.person).toContain(account)
    expect(byLessee(await recordOf('auditor', id))?.person).toContain(account)
    expect(JSON.stringify(byLessee(await recordOf('lessor', id)))).not.toContain(account)
    const draft = await givenDraft()
    await send(cast.project, draft.id)
    await db
      .insertInto('contractEvent')
      .values({ contractId: draft.id, at: clock.now(), accountId: cast.lessee.id, side: 'lessee', move: 'reject', note: '价格偏高' })
      .execute()
    expect((await cast.operator.call(lookAtContract, { params: { id: draft.id }, body: { reason: '双方申诉' } })).code).toBe(200)
    for (const call of [contract.getContractChain, contract.getContract]) {
      expect(JSON.stringify((await cast.project.call(call, { params: { id: draft.id } })).data)).toContain('价格偏高')
      for (const who of [cast.lessor, cast.operator])
        expect(JSON.stringify((await who.call(call, { params: { id: draft.id } })).data)).not.toContain('价格偏高')
    }
    expect([await faultFor('project', draft.id), await faultFor('lessor', draft.id)]).toEqual([null, null])
    const { events } = (await cast.lessor.call(contract.getContract, { params: { id } })).data
    expect(events.find(({ move }) => move === 'send')).toMatchObject({ side: 'lessee', who: '华拓建设集团有限公司' })
    expect(events.find(({ move }) => move === 'confirm')).toMatchObject({ side: 'lessor', who: 'lessor甲' })
  })

  test('the chain keeps the notes of the same steps with the own side as the history does', async () => {
    const { id: contractId } = await givenDraft()
    for (const move of Object.keys(zhCn.contract.event))
      await db
        .insertInto('contractEvent')
        .values({ contractId, at: clock.now(), accountId: cast.lessee.id, side: 'lessee', move, note: 'x' })
        .execute()
    const steps = await db
      .selectFrom('contractEvent as e')
      .where('contractId', '=', contractId)
      .where('note', '=', 'x')
      .select([
        'move',
        sql<string>`contract_event_person(e)::json ->> 2`.as('own'),
        sql<string>`contract_event_detail(e)::json ->> 2`.as('open'),
      ])
      .execute()
    expect(steps).toHaveLength(Object.keys(zhCn.contract.event).length)
    for (const { move, own, open } of steps) expect([own, open], move).toEqual(ownNotes.includes(move) ? ['x', ''] : ['', 'x'])
  })

  test('an event from before both sides could check it is still checked, by the platform for the other side', async () => {
    const old = (await givenContract()).id
    await sql`insert into contract_event (contract_id, at, account_id, side, move, note, detail_form) values (${old}, ${clock.now()}, ${cast.project.id}, 'lessee', 'edit', '旧', 1)`.execute(
      db,
    )
    const last = (await recordOf('project', old)).links.at(-1)
    expect((await recordOf('lessor', old)).links.at(-1)).toMatchObject({ seq: last?.seq, detail: null })
    expect([await faultFor('project', old), await faultFor('lessor', old)]).toEqual([null, null])
    const change = `update contract_event set note = '新' where contract_id = ${old} and seq = ${last?.seq}`
    const found = await tampered('contract_event', change, () => Promise.all([faultFor('project', old), faultFor('lessor', old)]))
    expect(found).toEqual([
      { part: 'link', at: last?.seq },
      { part: 'link', at: last?.seq },
    ])
  })
})
