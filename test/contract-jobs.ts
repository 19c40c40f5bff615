import { addDays, dayOf } from '#shared/calendar.ts'
import { findRoot } from '#server/contract/heads.ts'
import { runJob } from '#server/jobs/clock-jobs.ts'
import { changeSteps, contractSteps } from './given-contract.ts'
import type { openWorld } from './world.ts'

type World = Awaited<ReturnType<typeof openWorld>>

/** What the clock does with contracts: ten that are due each, what the database refuses of one, and whether one is done. */
export function contractJobCases(world: World) {
  const { cast, db, clock, services } = world
  const { givenAwarded, givenDraft, givenContract, signCode } = contractSteps(world)
  const { propose, confirm } = changeSteps(world)
  const awarded = async () => (await givenAwarded({ alone: true })).demand.id
  const inHours = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000)
  /** 20261130 as 2026-11-30. */
  const dayFrom = (id: number) => String(id).replace(/(....)(..)(..)/, '$1-$2-$3')
  return {
    drafted: {
      given: async () => {
        const ids = await ten(awarded)
        clock.set(inHours(49))
        return ids
      },
      broken: (id: number) => ({ when: 'insert' as const, table: 'contract', condition: `new.demand_id = ${id}` }),
      isDone: async (id: number) =>
        (await db.selectFrom('contract').where('demandId', '=', id).select('id').executeTakeFirst()) !== undefined,
    },
    lapsed: {
      given: async () => {
        const ids = await ten(awarded)
        await db.updateTable('award').set({ contractDue: clock.now() }).where('demandId', 'in', ids).execute()
        return ids
      },
      broken: (id: number) => ({ when: 'insert' as const, table: 'award_lapse', condition: `new.demand_id = ${id}` }),
      isDone: async (id: number) =>
        (await db.selectFrom('awardLapse').where('demandId', '=', id).select('id').executeTakeFirst()) !== undefined,
    },
    accounts: {
      given: async () => {
        let n = 0
        const ids = await ten(async () => {
          const { id } = await givenContract({ alone: true })
          const named = { bankName: '中国建设银行成都分行', bankAccount: `62170000000000000${10 + ++n}` }
          const smsCode = await signCode(cast.lessor, id, named)
          const { data, msg } = await propose(cast.lessor, id, { kind: 'account', ...named }, { smsCode })
          if (!data?.id) throw new Error(msg)
          const confirmed = await confirm(cast.project, data.id)
          if (confirmed.code !== 200) throw new Error(confirmed.msg)
          return data.id
        })
        clock.set(inHours(25))
        return ids
      },
      broken: (id: number) => ({
        when: 'update' as const,
        table: 'contract_change',
        condition: `old.id = ${id} and new.applied_at is not null`,
      }),
      isDone: async (id: number) =>
        (await db.selectFrom('contractChange').where('id', '=', id).where('appliedAt', 'is not', null).select('id').executeTakeFirst()) !==
        undefined,
    },
    rooted: {
      given: async () => {
        const { id } = await givenDraft()
        // Ten days, on each of which the chain grew.
        const days = await ten(async () => {
          clock.set(inHours(24))
          await db.insertInto('contractEvent').values({ contractId: id, at: clock.now(), move: 'edit' }).execute()
          return Number(dayOf(clock.now()).replaceAll('-', ''))
        })
        clock.set(inHours(24))
        return days
      },
      broken: (id: number) => ({
        when: 'insert' as const,
        table: 'audit_log',
        condition: `new.biz_type = 'contractRoot' and new.biz_id = '${dayFrom(id)}'`,
      }),
      isDone: async (id: number) => (await findRoot(db, dayFrom(id))) !== undefined,
    },
    ending: {
      given: async () => {
        const ids = await ten(async () => (await givenContract({ alone: true })).id)
        const planStart = dayOf(clock.now())
        await db
          .updateTable('contractLine')
          .set({ planStart, planEnd: addDays(planStart, 15) })
          .where('contractId', 'in', ids)
          .execute()
        return ids
      },
      broken: (id: number) => ({
        when: 'insert' as const,
        table: 'reminder',
        condition: `new.subject = 'contract' and new.subject_id = ${id}`,
      }),
      isDone: async (id: number) =>
        (await db.selectFrom('reminder').where('subject', '=', 'contract').where('subjectId', '=', id).select('at').executeTakeFirst()) !==
        undefined,
    },
    changesTakenBack: {
      given: async () => {
        const ids = await ten(async () => (await givenContract({ alone: true })).id)
        const approving = (approvesContracts: boolean) =>
          db.updateTable('dept').set({ approvesContracts }).where('id', '=', world.depts.root).execute()
        await approving(true)
        const changes: number[] = []
        for (const id of ids) {
          const terms = { kind: 'terminate', lastDay: '2026-12-20', penalty: { amount: '5000', payer: 'lessee' } }
          const { data, msg } = await propose(cast.project, id, terms)
          if (!data?.waits) throw new Error(msg)
          changes.push(data.id)
        }
        await approving(false)
        return changes
      },
      broken: (id: number) => ({ when: 'update' as const, table: 'contract_change', condition: `old.id = ${id}` }),
      isDone: async (id: number) =>
        (await db.selectFrom('contractChange').where('id', '=', id).select('status').executeTakeFirstOrThrow()).status === '4',
    },
    partyMoves: {
      given: async () => {
        const ids = await ten(async () => (await givenDraft({ alone: true })).id)
        const move = { companyId: cast.lessor.companyId, accountId: cast.operator.id, move: 'lock' } as const
        await db
          .insertInto('contractPartyMove')
          .values(ids.map((contractId) => ({ ...move, contractId })))
          .execute()
        return ids
      },
      broken: (id: number) => ({
        when: 'insert' as const,
        table: 'contract_event',
        condition: `new.contract_id = ${id} and new.move = 'lock'`,
      }),
      isDone: async (id: number) =>
        (await db.selectFrom('contractEvent').where('contractId', '=', id).where('move', '=', 'lock').select('id').executeTakeFirst()) !==
        undefined,
    },
    reminded: {
      given: async () => {
        const ids = await ten(awarded)
        await db.updateTable('quote').set({ acceptedAt: clock.now() }).where('demandId', 'in', ids).execute()
        await runJob(services, 'contracts')
        await db
          .updateTable('award')
          .set({ contractDue: inHours(72) })
          .where('demandId', 'in', ids)
          .execute()
        return ids
      },
      broken: (id: number) => ({
        when: 'update' as const,
        table: 'contract',
        condition: `old.demand_id = ${id} and new.reminded_on is not null`,
      }),
      isDone: async (id: number) =>
        (await db.selectFrom('contract').where('demandId', '=', id).where('remindedOn', 'is not', null).select('id').executeTakeFirst()) !==
        undefined,
    },
  }
}

/** Makes ten items, one after the other. */
export async function ten(make: (n: number) => Promise<number>): Promise<number[]> {
  const ids: number[] = []
  for (let n = 1; n <= 10; n++) ids.push(await make(n))
  return ids
}
