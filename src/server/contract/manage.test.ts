import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { listContractChanges } from '#shared/contract/changes.ts'
import { getCompany, lockCompany, unlockCompany } from '#shared/company/manage.ts'
import * as contract from '#shared/contract/contract.ts'
import { listAllContracts, lookAtContract } from '#shared/contract/manage.ts'
import * as calls from '#shared/contract/moves.ts'
import { lookMinutes } from '#shared/contract/rules.ts'
import { paths } from '#shared/paths.ts'
import { downloadFile } from '#shared/file/contract.ts'
import { contractSteps, nameThem } from '#test/given-contract.ts'
import { givenFile } from '#test/given-file.ts'
import { monday, openWorld } from '#test/world.ts'
import { runJob } from '../jobs/clock-jobs.ts'

const world = await openWorld()
const { cast, clock, db } = world
const { givenContract, givenDraft, pass } = contractSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const reason = '处理反馈 FK1：核对是否仍在租'
const look = (id: number, who: 'operator' | 'clerk' | 'auditor' | 'lessor' = 'operator') =>
  cast[who].call(lookAtContract, { params: { id }, body: { reason } })

describe('the platform reads a contract', () => {
  test('after saying why, for an hour, and changes nothing', async () => {
    const { id } = await givenContract()
    const fileId = await givenFile(world, cast.lessor)
    await cast.lessor.call(calls.uploadContractScan, { params: { id }, body: { fileIds: [fileId] } })
    const { getContract, getContractText, getContractChain, printContract, exportContractEvidence } = contract
    const read = async () => {
      const codes: number[] = []
      // One after the other, because prints at the same moment start a second process.
      for (const call of [getContract, getContractText, getContractChain, printContract, exportContractEvidence, listContractChanges]) {
        const answer = await cast.operator.call(call, { params: { id } })
        codes.push(answer.bytes.length > 200 && !(answer.code > 200) ? 200 : answer.code)
      }
      const { code, bytes } = await cast.operator.call(downloadFile, { params: { id: fileId }, query: {} })
      return [...codes, bytes.toString() === '%PDF-1.4' ? 200 : code]
    }
    const [all, none] = [200, 404].map((code) => Array.from({ length: 7 }, () => code))
    expect(await read()).toEqual(none)
    expect((await cast.operator.call(lookAtContract, { params: { id }, body: { reason: ' ' } })).code).toBe(422)
    expect(await read()).toEqual(none)
    expect((await look(id)).data.until).toBe('2026-11-27 11:00:00')
    expect(await read()).toEqual(all)
    const { data } = await cast.operator.call(contract.getContract, { params: { id } })
    expect([data.side, data.may, data.bankAccount]).toEqual([null, [], expect.stringMatching(/^\*+\d{4}$/)])
    for (const call of [calls.recallContract, calls.voidContract, calls.editContract, calls.nameContractPersons, calls.matchContractScan])
      expect((await cast.operator.call(call, { params: { id }, body: { reason, id, persons: [], before: [], agrees: true } })).code).toBe(
        403,
      )
    // Another contract, another operator and a later hour need a reason of their own.
    const other = await givenDraft()
    expect((await cast.operator.call(contract.getContract, { params: { id: other.id } })).code).toBe(404)
    const colleague = await world.givenPerson({ userType: '9', duties: ['people'] }, 'colleague')
    expect((await colleague.call(contract.getContract, { params: { id } })).code).toBe(404)
    pass(lookMinutes * 60)
    expect(await read()).toEqual(none)
  })

  test('both sides see that it did and why, in a chain that fits, and the audit log has it', async () => {
    const { id } = await givenContract()
    await look(id)
    for (const who of ['project', 'lessor', 'auditor'] as const) {
      const [event] = (await cast[who].call(contract.getContract, { params: { id } })).data.events
      expect(event).toMatchObject({ move: 'look', note: reason, byPlatform: true, side: null, who: who === 'auditor' ? 'operator甲' : '' })
    }
    const entry = await db
      .selectFrom('auditLog')
      .where('action', '=', 'contract.look')
      .where('bizId', '=', String(id))
      .selectAll()
      .execute()
    expect(entry).toMatchObject([{ who: 'operator', reason, bizName: '渝昌高铁5标 铲车1台' }])
  })

  test('nobody else may: not an operator without the duty, an auditor or a side; a contract that is not there is not found', async () => {
    const { id } = await givenContract()
    for (const who of ['clerk', 'auditor', 'lessor'] as const) expect((await look(id, who)).code, who).toBe(403)
    expect((await look(987_654_321)).code).toBe(404)
    expect(await db.selectFrom('contractEvent').where('contractId', '=', id).where('move', '=', 'look').select('id').execute()).toEqual([])
  })

  test('lists every contract by words, state, source and company, without prices', async () => {
    const { id } = await givenContract()
    const draft = await givenDraft()
    const ids = async (query: object) => (await cast.operator.call(listAllContracts, { query })).data.rows.map((row) => row.id)
    expect(await ids({})).toEqual(expect.arrayContaining([id, draft.id]))
    expect(await ids({ status: '2' })).toContain(id)
    expect(await ids({ status: '2' })).not.toContain(draft.id)
    expect(await ids({ companyId: cast.lessor.companyId })).toContain(id)
    expect(await ids({ companyId: cast.lapsed.companyId })).toEqual([])
    expect(await ids({ source: 'direct' })).toEqual([])
    const { contractCode } = await db.selectFrom('contract').where('id', '=', id).select('contractCode').executeTakeFirstOrThrow()
    expect(await ids({ keyword: contractCode })).toEqual([id])
    const { data } = await cast.operator.call(listAllContracts, { query: {} })
    expect(JSON.stringify(data.rows)).not.toMatch(/amount|price|fen/i)
    for (const who of ['clerk', 'auditor', 'lessor', 'project', 'newcomer'] as const)
      expect((await cast[who].call(listAllContracts, { query: {} })).code, who).toBe(403)
  })
})

describe('locking a company', () => {
  const messagesAbout = (contractId: number) =>
    db
      .selectFrom('message')
      .innerJoin('account', 'account.id', 'message.accountId')
      .where('bizType', '=', 'contract')
      .where('bizId', '=', String(contractId))
      .where('kind', 'in', ['contractPartyLocked', 'contractPartyUnlocked'])
      .orderBy('message.id')
      .select(['kind', 'companyId', 'account.deptId', 'content', 'link'])
      .execute()

  test('names the contracts that have not ended, is refused where they are others, and is told to the other side of those in force', async () => {
    const { id } = await givenContract()
    const draft = await givenDraft()
    // Somebody of the unit above signs for the project.
    expect((await nameThem(cast.lessee, id, [{ task: 'signer', accountId: cast.lessee.id }])).code).toBe(200)
    const params = { id: cast.lessor.companyId }
    const shown = async () => (await cast.operator.call(getCompany, { params })).data
    const { contracts, contractCount } = await shown()
    expect(contracts).toContainEqual({
      id,
      contractCode: expect.stringMatching(/^HT/),
      title: '渝昌高铁5标 铲车1台',
      status: '2',
      otherName: '华拓建设集团有限公司',
    })
    expect(contracts).toHaveLength(Math.min(8, contractCount))
    const lock = (body: object) => cast.operator.call(lockCompany, { params, body: { reason: '证照造假', ...body } })
    for (const body of [{}, { contracts: contractCount + 1 }])
      expect((await lock(body)).msg).toBe('该企业未完结的合同与您看到的不同，请重新核对后再锁定')
    expect((await shown()).status).toBe('0')
    expect((await lock({ contracts: contractCount })).code).toBe(200)
    const read = async () => (await cast.project.call(contract.getContract, { params: { id } })).data
    const locked = await read()
    expect([locked.status, locked.events[0]]).toMatchObject(['2', { move: 'lock', byPlatform: true, note: '成都恒岳机械租赁有限公司' }])
    expect(JSON.stringify(locked)).not.toContain('证照造假')
    expect((await cast.operator.call(unlockCompany, { params, body: { reason: '已更正' } })).code).toBe(200)
    expect((await read()).events[0]).toMatchObject({ move: 'unlock', byPlatform: true })
    const toLessee = await messagesAbout(id)
    expect(new Set(toLessee.map(({ kind }) => kind))).toEqual(new Set(['contractPartyLocked', 'contractPartyUnlocked']))
    expect(new Set(toLessee.map(({ deptId }) => deptId))).toEqual(new Set([cast.project.deptId, cast.lessee.deptId]))
    for (const { content, link } of toLessee) {
      expect(link).toBe(`${paths.contract(id)}&dept=${cast.project.deptId}`)
      expect(content).toContain(locked.contractCode)
      expect(content).toContain('成都恒岳机械租赁有限公司')
    }
    // The lessor has not seen the draft, and nobody is bound by it.
    expect(await messagesAbout(draft.id)).toEqual([])
    // The other way round, the lessor is told.
    const lessee = { params: { id: cast.project.companyId } }
    const contractsOfLessee = (await cast.operator.call(getCompany, lessee)).data.contractCount
    const body = { reason: '证照造假', contracts: contractsOfLessee }
    expect((await cast.operator.call(lockCompany, { ...lessee, body })).code).toBe(200)
    const toLessor = (await messagesAbout(id)).slice(toLessee.length)
    expect(toLessor.map(({ kind }) => kind)).toContain('contractPartyLocked')
    for (const { companyId } of toLessor) expect(companyId).toBe(cast.lessor.companyId)
    expect(JSON.stringify(await messagesAbout(id))).not.toContain('证照造假')
    // A company without contracts is locked as before.
    const none = { params: { id: cast.lapsed.companyId } }
    expect((await cast.operator.call(getCompany, none)).data).toMatchObject({ contractCount: 0, contracts: [] })
    expect((await cast.operator.call(lockCompany, { ...none, body: { reason: '证照造假' } })).code).toBe(200)
  })

  test('with many contracts, it is told to all of them, to some of them by the clock, 500 in a round, and in the order of what happened', async () => {
    const { companyId } = cast.lapsed
    const params = { id: companyId }
    // What the case above locked.
    await cast.operator.call(unlockCompany, { params, body: { reason: '已更正' } })
    await sql`insert into contract (contract_code, source, dept_id, lessee_company_id, lessor_company_id, title, province_id, city_id, address, plan_start,
        plan_end, clauses, amount_fen, net_fen, tax_fen, create_time, update_time)
      select 'HTM' || n, 'direct', ${cast.project.deptId}, ${cast.project.companyId}, ${companyId}, '装载机租赁', 510000, 510100, '工地', '2026-12-01',
        '2026-12-31', '{}', 0, 0, 0, ${monday}, ${monday} from generate_series(1, 400) n`.execute(db)
    const body = { reason: '证照造假', contracts: 400 }
    const countByMoves = async () => {
      const { rows } = await sql<{ moves: string[]; contracts: number }>`select moves, count(*)::int as contracts from (
        select array(select move from contract_event e where e.contract_id = c.id order by seq) as moves from contract c where c.contract_code like 'HTM%') told
        group by moves order by contracts`.execute(db)
      return Object.fromEntries(rows.map(({ moves, contracts }) => [moves.join(' '), contracts]))
    }
    expect(await countByMoves()).toEqual({ '': 400 })
    expect((await cast.operator.call(lockCompany, { params, body })).code).toBe(200)
    expect(await countByMoves()).toEqual({ '': 300, lock: 100 })
    expect((await cast.operator.call(unlockCompany, { params, body: { reason: '已更正' } })).code).toBe(200)
    // What is due by the minute waits for no more than a round.
    await runJob(world.services, 'contracts')
    expect(await countByMoves()).toEqual({ '': 50, 'lock unlock': 350 })
    await runJob(world.services, 'contracts')
    expect(await countByMoves()).toEqual({ 'lock unlock': 400 })
    expect(await db.selectFrom('contractPartyMove').selectAll().execute()).toEqual([])
  })
})
