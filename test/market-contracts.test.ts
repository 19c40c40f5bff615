import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { permissionsFor } from '#shared/account/permissions.ts'
import { changeStatus, type ChangeStatus, contractStatus, type ContractStatus } from '#shared/contract/rules.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { recordChecks, recordFault } from '#shared/contract/record.ts'
import type { Actor } from '#server/actor/actor.ts'
import { listChanges } from '#server/contract/change-list.ts'
import { listContracts } from '#server/contract/list.ts'
import { getContract } from '#server/contract/queries.ts'
import { getContractRecord } from '#server/contract/record.ts'
import { sha256 } from '#server/contract/digest.ts'
import { openDemo } from './open-demo.ts'

const { now, db, rows, count } = await openDemo()

describe('the contracts of the demo market', () => {
  const { draft, sent, inForce, terminated, voided } = contractStatus
  const withState = (status: ContractStatus) => count(sql<{ n: number }>`select count(*)::int as n from contract where status = ${status}`)

  test('there are about a hundred, in every state that a move leads to; no award is overdue', async () => {
    expect(await withState(draft)).toBeGreaterThanOrEqual(4)
    expect(await withState(sent)).toBeGreaterThanOrEqual(2)
    expect(await withState(inForce)).toBeGreaterThan(40)
    expect(await withState(terminated)).toBeGreaterThanOrEqual(5)
    expect(await withState(voided)).toBeGreaterThanOrEqual(3)
    expect(await count(sql<{ n: number }>`select count(*)::int as n from contract`)).toBeGreaterThan(75)
    // Which side lets an award lapse falls to the dice of each: of about seven, all may be of one.
    expect(await count(sql<{ n: number }>`select count(*)::int as n from award_lapse`)).toBeGreaterThan(0)
    expect(await count(sql<{ n: number }>`select count(*)::int as n from demand where status = ${demandStatus.completed}`)).toBeGreaterThan(
      1,
    )
    expect(
      await rows(sql`select a.demand_id from award a join quote q on q.demand_id = a.demand_id and q.status = '6' where a.contract_due < now()
        and not exists (select from contract c where c.award_id = a.id and c.lessor_company_id = q.company_id and (c.status > '1' or c.sent_at is not null))`),
    ).toEqual([])
  })

  test('amendments of many kinds wait, hold, were refused and were withdrawn, each answered after it was written', async () => {
    const changes = await db
      .selectFrom('contractChange')
      .select(['kind', 'status', 'createTime', 'answeredAt', 'side', 'appliedAt'])
      .execute()
    const kindsOf = (status: ChangeStatus) => new Set(changes.flatMap((one) => (one.status === status ? [one.kind] : [])))
    for (const kind of ['extend', 'price', 'clause', 'account', 'terminate'] as const) expect(kindsOf(changeStatus.inForce)).toContain(kind)
    for (const kind of ['extend', 'price'] as const) expect(kindsOf(changeStatus.sent)).toContain(kind)
    expect(kindsOf(changeStatus.refused)).toContain('price')
    expect(kindsOf(changeStatus.withdrawn)).toContain('extend')
    expect(changes.filter(({ status, answeredAt }) => (status === changeStatus.sent) !== (answeredAt === null))).toEqual([])
    expect(changes.filter(({ createTime, answeredAt }) => answeredAt !== null && answeredAt <= createTime)).toEqual([])
    expect(changes.some(({ kind, appliedAt }) => kind === 'account' && appliedAt !== null)).toBe(true)
    expect(
      await rows(sql`select revision from contract c where status = ${inForce} and revision <> (
      select max(revision) from contract_version v where v.contract_id = c.id)`),
    ).toEqual([])
  })

  test.each([
    ['project', 'projectUser', ['send', 'resend', 'matchScan', 'answer']],
    ['lessee', 'leaseholder', ['send', 'resend', 'matchScan', 'answer']],
    ['lessor', 'leaser', ['confirm', 'matchScan', 'answer']],
    ['lessor2', 'leaser', ['confirm', 'matchScan', 'answer']],
  ] as const)('%s finds a contract for each of their tasks in the list', async (userName, role, tasks) => {
    const actor = await actorNamed(userName, role)
    const at = { db, actor, now }
    const { rows: listed } = await listContracts(at, { keyword: undefined, pageNum: 1, pageSize: 200 })
    const found = new Set<string>()
    for (const { id, status } of listed) {
      if (status !== draft && status !== sent && status !== inForce) continue
      const { may, comments } = await getContract(at, id)
      for (const move of may) found.add(move)
      if (may.includes('send') && comments.some(({ clauses }) => clauses.length > 0)) found.add('resend')
      if ((await listChanges(at, id)).some((change) => change.may.includes('confirm'))) found.add('answer')
    }
    expect([...found]).toEqual(expect.arrayContaining([...tasks]))
  })

  test('the chain of every contract verifies, and a scan has a file that its side handed in', async () => {
    const auditor = await actorNamed('auditor', 'auditor')
    const contracts = await db.selectFrom('contract').select('id').execute()
    for (const { id } of contracts) {
      const record = await getContractRecord({ db, actor: auditor, now }, id)
      expect(record.links.length, String(id)).toBeGreaterThan(0)
      expect(await recordFault(record, recordChecks, sha256), String(id)).toBeNull()
    }
    expect(
      await rows(sql`select c.id from contract c where (scan_state <> '0') <> exists (
        select from contract_file f join file x on x.id = f.file_id and x.purpose = 'contract' where f.contract_id = c.id) and scan_by is null`),
    ).toEqual([])
  })

  async function actorNamed(userName: string, role: Actor['role']): Promise<Actor> {
    const account = await db
      .selectFrom('account')
      .where('userName', '=', userName)
      .select(['id', 'userType', 'companyId', 'deptId', 'isAdmin'])
      .executeTakeFirstOrThrow()
    const { id: accountId, ...rest } = account
    return {
      ...rest,
      accountId,
      userName,
      role,
      contractRole: role,
      permissions: permissionsFor(role, [], account.isAdmin),
      setup: null,
      address: '',
    }
  }
})
