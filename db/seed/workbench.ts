import { sql } from 'kysely'
import type { blacklistReasons, BlacklistStatus } from '#shared/blacklist/rules.ts'
import { addDays, dayOf } from '#shared/calendar.ts'
import type { Services } from '#server/services.ts'
import { storeFiles } from './files.ts'
import { drawnPaper } from './pictures.ts'

const blacklisted: {
  level: 1 | 2 | 3
  reason: (typeof blacklistReasons)[number]
  status: BlacklistStatus
  daysAgo: number
  facts: string
  answer?: string
  appeal?: string
  /** Somebody who can be signed in as; otherwise a firm of the others. */
  who?: string
}[] = [
  {
    level: 3,
    reason: 'forgery',
    status: '3',
    daysAgo: 60,
    facts:
      '所提供的塔式起重机定期检验报告编号经查询与出具机构存档不符，报告所载设备代码对应另一台设备；检验机构已书面回函确认该报告并非其出具，材料原件已留存。',
    answer: '报告由中介代办，我司并不知情，正在追究中介责任。',
    appeal: '我司已重新委托检验并取得合格报告，附新报告复印件，请求复核并解除限制。',
  },
  {
    level: 2,
    reason: 'quit',
    status: '2',
    daysAgo: 40,
    facts:
      '两台履带式挖掘机按合同应服务至路基交验，该企业未经项目部同意于夜间撤离一台，造成土方施工停工三天；项目部先后两次书面催告，对方未按期返场，监理签认记录与现场照片齐全。',
    answer: '撤离的设备因液压系统故障需返厂检修，当日已电话告知现场负责人，后续愿意承担误工。',
  },
  {
    level: 1,
    reason: 'other',
    status: '2',
    daysAgo: 75,
    facts:
      '近六个月内三次进场时间晚于约定，分别延误一天、两天和一天，均未提前告知；项目部有入场验收单与往来函件为证，特此提示各项目关注其履约能力。',
  },
  {
    level: 2,
    reason: 'arrears',
    status: '1',
    daysAgo: 3,
    facts:
      '该企业拖欠随机司机两个月工资，司机到项目部聚集讨薪两次，影响正常施工；项目部已垫付部分工资并取得收据，拟限制其在本单位范围内继续报价。',
  },
  {
    level: 2,
    reason: 'collusion',
    status: '6',
    daysAgo: 120,
    facts:
      '同一需求中两家企业的报价文件用语与错字一致，金额呈固定差额，怀疑串通报价；经核实两家使用了同一份行业协会模板，差额系运距所致，证据不足以认定。',
    answer: '两家公司无股权与人员关联，报价均按各自成本测算，附测算表。',
  },
  {
    level: 2,
    reason: 'accident',
    status: '4',
    daysAgo: 200,
    facts: '汽车起重机支腿未垫实即起吊，造成吊物倾斜碰撞脚手架，无人员伤亡；事故调查认定该企业司机负主要责任，已停机整改并组织全员再培训。',
    answer: '认可调查结论，已完成整改。',
  },
  {
    level: 1,
    reason: 'other',
    status: '2',
    daysAgo: 26,
    who: 'lessor',
    facts:
      '十月进场的一台履带式液压挖掘机未随机携带合格证原件，经项目部提醒后次日补齐；未影响施工，予以提示，请在后续进场前按清单核对随机资料。',
    answer: '已建立出库资料清单，由调度逐项签字。',
  },
]

/** What the workbench of the demo's people shows besides deals: the restriction list, idle machines, ceilings, questions. */
export async function seedWorkbench(services: Services): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  const today = dayOf(now)
  const at = (daysAgo: number) => new Date(now.getTime() - daysAgo * 86_400_000)
  const account = async (userName: string) =>
    db.selectFrom('account').where('userName', '=', userName).select(['id', 'deptId', 'companyId']).executeTakeFirstOrThrow()
  const [project, lessee, unit] = [await account('project'), await account('lessee'), await account('unit1')]
  const root = lessee.deptId ?? 0
  // Lessors nobody signs in as, so that the demo's own may quote.
  const lessors = await db
    .selectFrom('company')
    .where('isLessor', '=', true)
    .where('lessorAudit', '=', '2')
    .where(sql<boolean>`id not in (select company_id from account where user_name in ('lessor', 'lessor2'))`)
    .orderBy('id', 'desc')
    .limit(blacklisted.length)
    .select('id')
    .execute()
  const people = await db
    .selectFrom('account')
    .where(
      'companyId',
      'in',
      lessors.map(({ id }) => id),
    )
    .where('userType', '=', '4')
    .select(['id', 'companyId'])
    .execute()
  for (const [index, entry] of blacklisted.toSorted((a, b) => b.daysAgo - a.daysAgo).entries()) {
    const named = entry.who ? await account(entry.who) : undefined
    const companyId = named?.companyId ?? lessors[blacklisted.filter(({ who }) => !who).indexOf(entry)]?.id
    const subject = named ?? people.find((one) => one.companyId === companyId)
    if (!companyId) continue
    const decided = !['0', '1'].includes(entry.status)
    const { id } = await db
      .insertInto('blacklist')
      .values({
        blacklistCode: `HM${dayOf(at(entry.daysAgo)).replaceAll('-', '')}000${index + 1}`,
        subjectKind: 'company',
        companyId,
        level: entry.level,
        scopeDeptId: index % 2 === 0 ? root : (unit.deptId ?? root),
        reasonCode: entry.reason,
        facts: entry.facts,
        fromDay: dayOf(at(entry.daysAgo)),
        toDay: addDays(dayOf(at(entry.daysAgo)), 365),
        status: entry.status,
        proposerId: project.id,
        proposerDeptId: project.deptId,
        notifyTime: at(entry.daysAgo),
        answerUntil: at(entry.daysAgo - 7),
        answer: entry.answer ?? '',
        answerTime: entry.answer ? at(entry.daysAgo - 2) : null,
        approverId: decided ? lessee.id : null,
        decideTime: decided ? at(entry.daysAgo - 8) : null,
        decideNote: decided ? (entry.status === '6' ? '证据不足，不予列入' : '事实清楚，证据充分，同意列入') : '',
        createTime: at(entry.daysAgo + 1),
        updateTime: at(Math.max(0, entry.daysAgo - 8)),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const steps: [string, number, number | null, string][] = [
      ['propose', entry.daysAgo + 1, project.id, ''],
      ['notify', entry.daysAgo, project.id, ''],
      ...(entry.answer ? [['answer', entry.daysAgo - 2, subject?.id ?? null, ''] as [string, number, number | null, string]] : []),
      ...(decided
        ? [[entry.status === '6' ? 'drop' : 'decide', entry.daysAgo - 8, lessee.id, ''] as [string, number, number | null, string]]
        : []),
      ...(entry.appeal ? [['appeal', entry.daysAgo - 20, subject?.id ?? null, ''] as [string, number, number | null, string]] : []),
      ...(entry.status === '4' ? [['lift', entry.daysAgo - 60, lessee.id, '整改验收合格'] as [string, number, number | null, string]] : []),
    ]
    await db
      .insertInto('blacklistEvent')
      .values(steps.map(([move, daysAgo, accountId, note]) => ({ blacklistId: id, at: at(daysAgo), accountId, move, note })))
      .execute()
    if (entry.appeal)
      await db
        .insertInto('blacklistAppeal')
        .values({ blacklistId: id, accountId: subject?.id ?? project.id, content: entry.appeal, appealTime: at(entry.daysAgo - 20) })
        .execute()
    const [fileId = ''] = await storeFiles(services, [
      {
        name: `证据${index + 1}.png`,
        purpose: 'blacklist',
        accountId: project.id,
        companyId: project.companyId,
        createTime: at(entry.daysAgo + 1),
        picture: await drawnPaper(index * 50, index % 2 === 0),
      },
    ])
    await db.insertInto('blacklistFile').values({ blacklistId: id, fileId, part: 'evidence' }).execute()
  }

  const depts = await db
    .selectFrom('dept')
    .where('deptType', '=', '3')
    .where('companyId', '=', lessee.companyId)
    .where('id', '<>', project.deptId ?? 0)
    .orderBy('id')
    .limit(6)
    .select(['id', 'provinceId', 'cityId'])
    .execute()
  const idle = [
    [203, 200, '徐工 XCT25L5 汽车起重机', 25, 12_000],
    [201, 200, '中联 TC6013 塔吊', 80, 9000],
    [301, 300, '鼎力 JCPT1412DC 剪叉车', 12, null],
    [601, 600, '徐工 XS223J 压路机', 22, 8000],
    [1001, 1000, '300kW 发电机组', 300, null],
  ] as const
  const machines: number[] = []
  for (const [index, [categoryId, fatherCategoryId, name, mainValue, price]] of idle.entries()) {
    const dept = depts[index % depts.length]
    if (!dept?.cityId || !dept.provinceId) continue
    const { id } = await db
      .insertInto('internalMachine')
      .values({
        deptId: dept.id,
        accountId: lessee.id,
        fatherCategoryId,
        categoryId,
        name,
        mainValue,
        emissionStage: fatherCategoryId === 600 ? '3' : 'none',
        provinceId: dept.provinceId,
        cityId: dept.cityId,
        place: '项目部停放场',
        innerPriceFen: price === null ? null : price * 100,
        freeFrom: addDays(today, -10),
        freeTo: addDays(today, 400),
        note: '保养记录齐全，可随时调出',
        createTime: at(12 - index),
        updateTime: at(12 - index),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    machines.push(id)
  }
  const transfers = [
    ['0', 20, 80],
    ['2', -60, -5],
  ] as const
  for (const [index, [status, from, to]] of transfers.entries()) {
    const machine = machines[index]
    if (!machine || !project.deptId) continue
    await db
      .insertInto('internalTransfer')
      .values({
        transferCode: `DB${dayOf(at(6)).replaceAll('-', '')}000${index + 1}`,
        internalMachineId: machine,
        fromDeptId: depts[index]?.id ?? root,
        toDeptId: project.deptId,
        period: sql<string>`daterange(${addDays(today, from)}::date, ${addDays(today, to)}::date)`,
        transportFen: status === '2' ? 360_000 : 0,
        innerPriceFen: 1_000_000,
        status,
        note: '',
        accountId: project.id,
        createTime: at(6 + index * 60),
        updateTime: at(5 + index * 60),
      })
      .execute()
  }

  const ceilings: [categoryId: number, min: number | null, max: number | null, price: number, withOperator: boolean][] = [
    [101, 19, 23, 34_000, true],
    [101, 30, 37, 50_000, true],
    [106, 5, 6, 22_000, true],
    [201, 60, 90, 19_000, false],
    [203, 20, 30, 33_000, true],
    [203, 45, 60, 62_000, true],
    [208, null, null, 12_000, false],
    [601, 20, 28, 20_000, true],
  ]
  await db
    .insertInto('priceCeiling')
    .values(
      ceilings.map(([categoryId, mainMin, mainMax, price, withOperator]) => ({
        deptId: root,
        categoryId,
        mainMin,
        mainMax,
        rentUnit: 'M',
        withOperator,
        priceFen: price * 100,
        fromDay: addDays(today, -200),
        accountId: lessee.id,
        updateTime: at(200),
      })),
    )
    .execute()

  const open = await db
    .selectFrom('demand')
    .where('status', '=', '3')
    .where('deptId', '=', project.deptId ?? 0)
    .orderBy('id', 'desc')
    .limit(2)
    .select(['id', 'publishTime'])
    .execute()
  const asker = await account('lessor')
  const questions = [
    ['进场道路限高和承载是否有要求？', '限高 4.5 米，便道可承载 40 吨，雨后须与现场确认。'],
    ['夜间是否需要连续作业？', ''],
  ] as const
  for (const { id } of open)
    await db
      .insertInto('demandQuestion')
      .values(
        questions.map(([content, answer], index) => ({
          demandId: id,
          companyId: asker.companyId ?? 0,
          accountId: asker.id,
          content,
          askTime: at(0.03 - index * 0.01),
          answer,
          answerAccountId: answer ? project.id : null,
          answerTime: answer ? at(0.01) : null,
        })),
      )
      .execute()
}
