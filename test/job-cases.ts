import { sql } from 'kysely'
import { addDays, dayOf } from '#shared/calendar.ts'
import { creditCodeCheck } from '#shared/company/rules.ts'
import { publishDemand } from '#shared/demand/contract.ts'
import type { ClockJob } from '#server/jobs/clock-jobs.ts'
import { queueNotices } from '#server/outbox/queries.ts'
import { contractJobCases, ten } from './contract-jobs.ts'
import { demandJobCases } from './demand-jobs.ts'
import { fileJobCases } from './file-jobs.ts'
import { monday, type openWorld } from './world.ts'

export type JobCase = {
  /** Ten items that are due. */
  given: () => Promise<number[]>
  /** What the database refuses of one of them. */
  broken: (id: number) => { when: 'insert' | 'update' | 'delete'; table: string; condition: string }
  isDone: (id: number) => Promise<boolean>
}

/** For each job of the clock a few items that are due, what the database refuses of one of them, and whether one is done. */
export function jobCases(world: Awaited<ReturnType<typeof openWorld>>) {
  const { cast, clock, db } = world
  const today = dayOf(monday)

  let people = 0
  const givenAccount = async () => {
    people++
    const account = { userName: `person${people}`, phonenumber: `1450000${1000 + people}`, passwordHash: 'none', createTime: monday }
    return (await db.insertInto('account').values(account).returning('id').executeTakeFirstOrThrow()).id
  }
  /** A certification of a new account that is in force. */
  const givenCertification = async (more: { name: string; validTo: string; form?: string }) => {
    const certification = {
      accountId: await givenAccount(),
      kind: 'rentout',
      status: '2',
      createTime: monday,
      updateTime: monday,
      ...more,
    } as const
    return (await db.insertInto('certification').values(certification).returning('id').executeTakeFirstOrThrow()).id
  }
  /** An account that is due to be erased. */
  const givenCancellation = async () => {
    const accountId = await givenAccount()
    await db.insertInto('cancellation').values({ accountId, reason: '不再使用', requestedAt: monday, dueAt: monday }).execute()
    return accountId
  }
  const published = async () => {
    const { data, msg } = await cast.project.call(publishDemand, { body: world.demandBody() })
    if (!data?.id) throw new Error(msg)
    return data.id
  }

  const contractCases = contractJobCases(world)
  const demandCases = demandJobCases(world, () => ten(published))
  const fileCases = fileJobCases(world, givenAccount)

  const statusIs = (table: 'demand' | 'certification' | 'blacklist' | 'feedback' | 'outbox', status: string) => async (id: number) =>
    (await db.selectFrom(table).where('id', '=', id).select('status').executeTakeFirstOrThrow()).status === status
  const brokenUpdate = (table: string, condition: string) => (id: number) => ({
    when: 'update' as const,
    table,
    condition: `old.id = ${id} and ${condition}`,
  })

  const reminded = (subject: 'certification' | 'demand' | 'equipment' | 'fleet') => ({
    broken: (id: number) => ({
      when: 'insert' as const,
      table: 'reminder',
      condition: `new.subject = '${subject}' and new.subject_id = ${id}`,
    }),
    isDone: async (id: number) =>
      (await db.selectFrom('reminder').where('subject', '=', subject).where('subjectId', '=', id).select('paper').executeTakeFirst()) !==
      undefined,
  })

  const cases: Record<ClockJob, JobCase> = {
    openDemands: {
      given: async () => {
        const ids = await ten(published)
        await db.updateTable('demand').set({ quoteCount: 3 }).where('id', 'in', ids).execute()
        world.passDeadline()
        return ids
      },
      broken: brokenUpdate('demand', `new.status = '4'`),
      isDone: statusIs('demand', '4'),
    },
    undecidedDemands: {
      given: async () => {
        const ids = await ten(published)
        const openTime = new Date(clock.now().getTime() - 28 * 86_400_000)
        await db.updateTable('demand').set({ status: '4', openTime }).where('id', 'in', ids).execute()
        return ids
      },
      ...reminded('demand'),
    },
    notifyLessors: {
      given: async () => {
        await world.givenMachine(cast.lessor.companyId)
        await db.deleteFrom('demandNotice').execute()
        return ten(published)
      },
      broken: (id) => ({ when: 'delete', table: 'demand_notice', condition: `old.demand_id = ${id}` }),
      isDone: async (id) =>
        (await db.selectFrom('message').where('kind', '=', 'demandMatched').where('bizId', '=', String(id)).select('id').execute())
          .length === 1,
    },
    sendSms: {
      given: async () => {
        await queueNotices(
          db,
          Array.from({ length: 10 }, (_, n) => ({ accountId: cast.project.id, title: `第${n}条`, notBefore: monday })),
          monday,
        )
        return (await db.selectFrom('outbox').where('status', '=', '0').orderBy('id').select('id').execute()).map(({ id }) => id)
      },
      broken: brokenUpdate('outbox', `new.status = '1'`),
      isDone: statusIs('outbox', '1'),
    },
    savedSearches: {
      given: () =>
        ten(async (n) => {
          const search = {
            accountId: cast.lessor.id,
            list: 'demand',
            name: `订阅${n}`,
            query: '',
            checkedAt: monday,
            createTime: monday,
          } as const
          const { id } = await db.insertInto('savedSearch').values(search).returning('id').executeTakeFirstOrThrow()
          clock.set(new Date(monday.getTime() + 6 * 60_000))
          return id
        }),
      broken: brokenUpdate('saved_search', 'true'),
      isDone: async (id) =>
        (await db
          .selectFrom('savedSearch')
          .where('id', '=', id)
          .where('checkedAt', '>', monday.toISOString())
          .select('id')
          .executeTakeFirst()) !== undefined,
    },
    categoryMachines: {
      given: () =>
        ten(async (n) => {
          const category = {
            id: sql<number>`nextval('category_number')`,
            parentId: 900,
            name: `第${n}类`,
            nameEn: `Kind ${n}`,
            level: 2,
            orderNum: n,
            formerWords: '旧名',
          } as const
          return (await db.insertInto('category').values(category).returning('id').executeTakeFirstOrThrow()).id
        }),
      broken: brokenUpdate('category', 'new.former_words is null'),
      isDone: async (id) =>
        (await db.selectFrom('category').where('id', '=', id).select('formerWords').executeTakeFirstOrThrow()).formerWords === null,
    },
    certifications: {
      given: () => ten((n) => givenCertification({ name: `第${n}家`, validTo: addDays(today, -1) })),
      broken: brokenUpdate('certification', 'true'),
      isDone: statusIs('certification', '4'),
    },
    equipmentPapers: {
      given: () => ten(() => world.givenMachine(cast.lessor.companyId, { paperTo: addDays(today, -1) })),
      broken: brokenUpdate('equipment', `new.shelf_status = '0'`),
      isDone: async (id) =>
        (await db.selectFrom('equipment').where('id', '=', id).select('shelfStatus').executeTakeFirstOrThrow()).shelfStatus === '0',
    },
    freshness: {
      given: () =>
        ten(async () => {
          const id = await world.givenMachine(cast.lessor.companyId)
          await db
            .updateTable('equipment')
            .set({ confirmedAt: new Date(monday.getTime() - 31 * 86_400_000) })
            .where('id', '=', id)
            .execute()
          return id
        }),
      broken: brokenUpdate('equipment', `new.shelf_status = '0'`),
      isDone: async (id) =>
        (await db.selectFrom('equipment').where('id', '=', id).select('shelfStatus').executeTakeFirstOrThrow()).shelfStatus === '0',
    },
    blacklist: {
      given: () => ten((n) => givenEntry({ blacklistCode: `HM${n}`, level: 1, fromDay: addDays(today, -30), toDay: today })),
      broken: brokenUpdate('blacklist', 'true'),
      isDone: statusIs('blacklist', '5'),
    },
    cancellations: {
      given: () => ten(givenCancellation),
      broken: brokenUpdate('account', `new.del_flag = '2'`),
      isDone: async (id) =>
        (await db.selectFrom('account').where('id', '=', id).select('delFlag').executeTakeFirstOrThrow()).delFlag === '2',
    },
    broadcasts: {
      given: () =>
        ten(async () => {
          const audience = JSON.stringify({ everybody: false, roles: ['leaser'], provinceIds: [], companyIds: [] })
          const broadcast = {
            accountId: cast.operator.id,
            title: '停机维护',
            content: '今晚维护',
            audience,
            people: 2,
            at: monday,
            toldUpTo: 0,
          }
          return (await db.insertInto('broadcast').values(broadcast).returning('id').executeTakeFirstOrThrow()).id
        }),
      broken: (id) => ({ when: 'insert', table: 'message', condition: `new.biz_type = 'broadcast' and new.biz_id = '${id}'` }),
      isDone: async (id) =>
        (await db.selectFrom('message').where('bizType', '=', 'broadcast').where('bizId', '=', String(id)).select('id').execute())
          .length === 2,
    },
    contracts: contractCases.drafted,
    contractRoots: contractCases.rooted,
    cleaning: {
      given: () =>
        ten(async (n) => {
          const feedback = {
            feedbackCode: `FK${n}`,
            accountId: cast.project.id,
            type: 'fault',
            title: '已答复',
            content: '已答复的反馈内容',
          } as const
          const at = new Date(monday.getTime() - 16 * 86_400_000)
          return (
            await db
              .insertInto('feedback')
              .values({ ...feedback, status: '2', createTime: at, updateTime: at })
              .returning('id')
              .executeTakeFirstOrThrow()
          ).id
        }),
      broken: brokenUpdate('feedback', 'true'),
      isDone: statusIs('feedback', '3'),
    },
  }

  /** An entry about the second lessor in force, decided two days ago. */
  async function givenEntry(values: { blacklistCode: string; level: 1 | 2; fromDay: string; toDay: string }): Promise<number> {
    const { id } = await db
      .insertInto('blacklist')
      .values({
        ...values,
        companyId: cast.lessor2.companyId,
        scopeDeptId: world.depts.projectDept,
        proposerId: cast.project.id,
        subjectKind: 'company',
        status: '2',
        reasonCode: 'quit',
        facts: '事实'.repeat(30),
        decideTime: new Date(monday.getTime() - 2 * 86_400_000),
        createTime: monday,
        updateTime: monday,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  let fleets = 0
  /** A new lessor with one machine. */
  async function givenFleet() {
    fleets++
    const body = `91110108FLT${String(fleets).padStart(5, '0')}1`
    const { id: companyId } = await db
      .insertInto('company')
      .values({
        enterpriseName: `第${fleets}家租赁有限公司`,
        creditCode: body + creditCodeCheck(body),
        provinceId: 510_000,
        cityId: 510_100,
        searchText: '',
        isLessor: true,
        lessorAudit: '2',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { companyId, equipmentId: await world.givenMachine(companyId) }
  }

  /** What ten lessors have to hear of their machines. */
  const leftShelf = (kind: 'equipmentOff' | 'machineUnconfirmed'): JobCase => ({
    given: () =>
      ten(async () => {
        const notice = { ...(await givenFleet()), kind, params: '{}' }
        await db.insertInto('machineNotice').values(notice).execute()
        return notice.companyId
      }),
    broken: (id) => ({ when: 'delete', table: 'machine_notice', condition: `old.company_id = ${id}` }),
    isDone: async (id) => (await db.selectFrom('machineNotice').where('companyId', '=', id).select('id').execute()).length === 0,
  })

  /** The rounds that follow another one in the same job. */
  const secondRounds: [ClockJob, JobCase][] = [
    [
      'certifications',
      {
        given: () =>
          ten((n) => {
            const validTo = addDays(today, 20)
            return givenCertification({ name: `另${n}家`, validTo, form: JSON.stringify({ licenseValidTo: validTo }) })
          }),
        ...reminded('certification'),
      },
    ],
    ['contracts', contractCases.accounts],
    ['undecidedDemands', demandCases.failed],
    ['undecidedDemands', demandCases.sentBack],
    ['undecidedDemands', demandCases.takenBack],
    [
      'freshness',
      {
        given: () =>
          ten(async () => {
            const { companyId, equipmentId } = await givenFleet()
            const confirmedAt = new Date(monday.getTime() - 8 * 86_400_000)
            await db.updateTable('equipment').set({ confirmedAt }).where('id', '=', equipmentId).execute()
            return companyId
          }),
        ...reminded('fleet'),
      },
    ],
    ['equipmentPapers', leftShelf('equipmentOff')],
    ['freshness', leftShelf('machineUnconfirmed')],
    ['contracts', contractCases.lapsed],
    ['contracts', contractCases.reminded],
    [
      'equipmentPapers',
      { given: () => ten(() => world.givenMachine(cast.lessor.companyId, { paperTo: addDays(today, 20) })), ...reminded('equipment') },
    ],
    [
      'equipmentPapers',
      {
        given: () =>
          ten(async () => {
            const id = await world.givenMachine(cast.lessor.companyId)
            await db
              .updateTable('equipmentPrice')
              .set({ validTo: addDays(today, -1) })
              .where('equipmentId', '=', id)
              .execute()
            return id
          }),
        broken: brokenUpdate('equipment', 'new.month_price_fen is null'),
        isDone: async (id) =>
          (await db.selectFrom('equipment').where('id', '=', id).select('monthPriceFen').executeTakeFirstOrThrow()).monthPriceFen === null,
      },
    ],
    ['contracts', contractCases.ending],
    ['contracts', contractCases.changesTakenBack],
    ['contracts', contractCases.partyMoves],
    ['cancellations', fileCases.abandoned],
    ['cleaning', fileCases.unused],
    [
      'blacklist',
      {
        given: () => ten((n) => givenEntry({ blacklistCode: `HMB${n}`, level: 2, fromDay: today, toDay: addDays(today, 30) })),
        broken: (id) => ({ when: 'insert', table: 'blacklist_event', condition: `new.move = 'enforce' and new.blacklist_id = ${id}` }),
        isDone: async (id) =>
          (await db.selectFrom('blacklistEvent').where('blacklistId', '=', id).where('move', '=', 'enforce').select('id').execute())
            .length === 1,
      },
    ],
  ]
  return { cases, secondRounds, published, ten, givenCertification, givenCancellation }
}
