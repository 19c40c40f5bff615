import { sql } from 'kysely'
import { cancellationStatus, coolingDays, type CancellationStatus, type SignInWay } from '#shared/account/rules.ts'
import { fromMoment } from '#shared/calendar.ts'
import { sendSms, type Letter } from '#server/outbox/queries.ts'
import type { Services } from '#server/services.ts'
import type { SeededMachine } from './fleet.ts'
import { phone } from './people.ts'
import type { Dice } from './random.ts'
import type { Timeline } from './timeline.ts'

const day = 86_400_000
const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 Version/18.2 Mobile Safari/604.1',
]

/** What people leave behind besides their deals: sign-ins, imports and requests to cancel an account. */
export async function seedTraces(services: Services, machines: readonly SeededMachine[], dice: Dice): Promise<void> {
  await seedSignIns(services, dice)
  await seedImports(services, machines)
  await seedCancellations(services)
}

/** Everybody with an account that did something has signed in; the demo's own people most often. */
async function seedSignIns({ db, clock }: Services, dice: Dice): Promise<void> {
  const now = clock.now().getTime()
  const people = await db
    .selectFrom('account')
    .where('userName', 'not in', ['newcomer', 'driver'])
    .select(['id', 'userName', 'createTime'])
    .execute()
  const signIns = people.flatMap(({ id, userName, createTime }) => {
    const address = `203.0.113.${1 + (id % 250)}`
    // Applicants have registered lately, which signs them in.
    if (userName.startsWith('applicant'))
      return [{ accountId: id, at: fromMoment(createTime), way: 'sms' as const, succeeded: true, address, agent: agents[1] ?? '' }]
    const times = /^(?:project|lessor|lessee|operator|auditor)$/.test(userName) ? 9 : dice.between(1, 4)
    const agent = dice.pick(agents)
    return Array.from({ length: times }, (_, step) => {
      const at = new Date(now - (dice.next() * 5 + step * dice.between(2, 9)) * day - 3_600_000)
      const way: SignInWay = dice.next() < 0.8 ? 'password' : 'sms'
      return { accountId: id, at, way, succeeded: step === 0 || dice.next() < 0.93, address, agent }
    })
  })
  await db
    .insertInto('signIn')
    .values(signIns.toSorted((a, b) => a.at.getTime() - b.at.getTime()))
    .execute()
}

/** SMS of the last days as the demo's sender stores them, in their places among those of the deals. */
export function planLetters(services: Services, { now, timeline }: { now: Date; timeline: Timeline }): void {
  const silent = { ...services, writeLine: () => undefined }
  const letters: [hoursAgo: number, letter: Letter][] = [
    [150, { phonenumber: phone(7001), template: 'code', code: '204913' }],
    [149.9, { phonenumber: phone(7001), template: 'registered' }],
    [122, { phonenumber: phone(7002), template: 'code', code: '771204' }],
    [121.9, { phonenumber: phone(7002), template: 'registered' }],
    [98, { phonenumber: phone(9), template: 'firstPassword', userName: 'keeper4', password: 'Hq7@kPz3mA' }],
    [74, { phonenumber: phone(56), template: 'notice', title: '设备证照即将到期' }],
    [52, { phonenumber: phone(57), template: 'notice', title: '您报价的需求已开标' }],
    [51, { phonenumber: phone(60), template: 'notice', title: '您报价的需求已开标' }],
    [27, { phonenumber: phone(61), template: 'notice', title: '新的匹配需求' }],
    [26, { phonenumber: phone(2), template: 'notice', title: '有一条需求等待审核' }],
    [9, { phonenumber: phone(7004), template: 'code', code: '650318' }],
    [3, { phonenumber: phone(58), template: 'code', code: '118207' }],
  ]
  for (const [hours, letter] of letters) {
    const at = new Date(now.getTime() - hours * 3_600_000)
    timeline.add(at, async () => {
      await sendSms(silent, letter, at)
    })
  }
}

type Cells = Record<string, string>

/** A workbook that became the machines of its moment, one with two rows that still have errors, and one that was undone. */
async function seedImports({ db, clock }: Services, machines: readonly SeededMachine[]): Promise<void> {
  const now = clock.now().getTime()
  const lessor = await db.selectFrom('account').where('userName', '=', 'lessor').select(['id', 'companyId']).executeTakeFirstOrThrow()
  const own = machines.filter(({ companyId, input }) => companyId === lessor.companyId && input.fatherCategoryId === 100)
  const cellsOf = ({ input, category }: SeededMachine): Cells => ({
    category: category.name,
    brand: input.brand,
    model: input.model,
    factoryNo: input.factoryNo ?? '',
    outFactoryDate: input.outFactoryDate ?? '',
    province: '四川省',
    city: '成都市',
    envCode: input.envCode ?? '',
    priceM: String(Math.round((input.prices[0]?.price ?? 0) / 100)),
  })
  const faulty: Cells[] = [
    {
      category: '挖土机',
      brand: '三一',
      model: 'SY75C',
      factoryNo: 'SL-90001',
      outFactoryDate: '2022/5',
      province: '四川',
      city: '成都市',
    },
    {
      category: '轮式装载机',
      brand: '柳工集团',
      model: '856H',
      factoryNo: 'SL-90002',
      outFactoryDate: '2021-03-10',
      province: '四川省',
      city: '成都市',
    },
  ]
  const [oldest, newest] = [own[0], own.at(-1)]
  if (!oldest || !newest) return
  const early = own.filter(({ created }) => created.getTime() === oldest.created.getTime())
  const files: { name: string; createTime: Date; undone?: boolean; rows: { cells: Cells; equipmentId: number | null }[] }[] = [
    {
      name: '土方设备台账.xlsx',
      createTime: oldest.created,
      rows: early.map((machine) => ({ cells: cellsOf(machine), equipmentId: machine.id })),
    },
    {
      name: '误传-旧台账.xlsx',
      createTime: new Date(now - 120 * day),
      undone: true,
      rows: early.slice(0, 3).map((machine) => ({ cells: cellsOf(machine), equipmentId: null })),
    },
    {
      name: '新增设备.xlsx',
      createTime: newest.created,
      rows: [{ cells: cellsOf(newest), equipmentId: newest.id }, ...faulty.map((cells) => ({ cells, equipmentId: null }))],
    },
  ]
  for (const { name, createTime, undone, rows } of files.toSorted((a, b) => a.createTime.getTime() - b.createTime.getTime())) {
    const { id } = await db
      .insertInto('equipmentImport')
      .values({
        companyId: lessor.companyId ?? 0,
        accountId: lessor.id,
        fatherCategoryId: 100,
        fileName: name,
        createTime,
        undoTime: undone ? new Date(createTime.getTime() + 1_800_000) : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('equipmentImportRow')
      .values(rows.map(({ cells, equipmentId }, at) => ({ importId: id, rowNo: at + 3, cells: JSON.stringify(cells), equipmentId })))
      .execute()
  }
}

/** One runs, one was taken back, one stopped at a deal, one is erased already. */
async function seedCancellations({ db, clock }: Services): Promise<void> {
  const now = clock.now().getTime()
  const requests: [userName: string, status: CancellationStatus, daysAgo: number, reason: string][] = [
    ['keeper9', cancellationStatus.withdrawn, 96, '调离项目，后又返岗'],
    ['lessor9', cancellationStatus.stopped, 61, '公司更名，拟重新注册'],
    ['keeper15', cancellationStatus.cooling, 3, '已调离本项目部'],
    ['keeper20', cancellationStatus.cooling, 1, '岗位合并，账号不再使用'],
  ]
  for (const [userName, status, daysAgo, reason] of requests) {
    const requestedAt = new Date(now - daysAgo * day)
    await sql`insert into cancellation (account_id, reason, status, requested_at, due_at, done_at)
      select id, ${reason}, ${status}, ${requestedAt}, ${new Date(requestedAt.getTime() + coolingDays * day)}, null
      from account where user_name = ${userName}`.execute(db)
  }
}
