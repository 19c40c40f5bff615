import type { AuditAction } from '#shared/audit/rules.ts'
import { blacklistRules, type BlacklistLevel, type proposedReasons } from '#shared/blacklist/rules.ts'
import { addDays, dayOf } from '#shared/calendar.ts'
import type { Actor } from '#server/actor/actor.ts'
import { audited } from '#server/audit/log.ts'
import { answerEntry, appealEntry, decideEmergency, decideEntry, liftEntry, notifyEntry, proposeEntry } from '#server/blacklist/moves.ts'
import { transact, type Deed } from '#server/deed.ts'
import type { Services } from '#server/services.ts'
import { actorOf } from './actors.ts'
import { storeFiles } from './files.ts'
import { restrictedLessor } from './lessors.ts'
import type { Trade } from './machines.ts'
import type { LessorSeed, People, ProjectSeed } from './people.ts'
import { drawnPaper, type Picture } from './pictures.ts'
import type { Timeline } from './timeline.ts'

type Case = {
  /** The first firm of this trade in this city; otherwise the place of a firm in the list. */
  firm: readonly [Trade, string] | number
  /** The place of the project that proposes it. Null: the platform does. */
  project: number | null
  /** Holds for the whole organisation, not only for the unit above the project. */
  everywhere?: boolean
  level: BlacklistLevel
  reason: (typeof proposedReasons)[number]
  /** When the subject was notified, or on the platform barred at once. */
  daysAgo: number
  facts: (month: string) => string
  answer?: string
  /** It waits for its decision where there is none. */
  decided?: 'held' | 'dropped'
  /** Days after the notice. */
  appeal?: readonly [days: number, content: string]
  lifted?: readonly [days: number, note: string]
}

const cases: readonly Case[] = [
  {
    firm: ['crane', '武汉'],
    project: 3,
    level: 2,
    reason: 'accident',
    daysAgo: 200,
    facts: (month) =>
      `${month}，该企业在三地块吊装钢筋时，25 吨汽车起重机支腿未垫实即起吊，造成吊物倾斜碰撞脚手架，无人员伤亡；事故调查认定该企业司机负主要责任，已停机整改并组织全员再培训。`,
    answer: '认可调查结论，已完成整改。',
    decided: 'held',
    lifted: [60, '整改验收合格'],
  },
  {
    firm: ['lift', '长沙'],
    project: 13,
    everywhere: true,
    level: 2,
    reason: 'collusion',
    daysAgo: 120,
    facts: (month) =>
      `${month}的剪叉式高空作业平台需求中，该企业与另一家企业的报价文件用语与错字一致，金额呈固定差额，怀疑串通报价；两家均为长沙本地企业，项目部据此提请核查。`,
    answer: '两家公司无股权与人员关联，报价均按各自成本测算，用语出自同一份行业协会模板，差额系运距所致，附测算表。',
    decided: 'dropped',
  },
  {
    firm: ['haul', '成都'],
    project: 0,
    everywhere: true,
    level: 1,
    reason: 'other',
    daysAgo: 75,
    facts: (month) =>
      `截至${month}的半年内，该企业自卸车三次进场时间晚于约定，分别延误一天、两天和一天，均未提前告知；项目部有入场验收单与往来函件为证，特此提示各项目关注其履约能力。`,
    decided: 'held',
  },
  {
    firm: restrictedLessor,
    project: null,
    level: 3,
    reason: 'forgery',
    daysAgo: 40,
    facts: (month) =>
      `${month}平台年度核验中，该企业所提供的汽车起重机定期检验报告编号与出具机构存档不符，报告所载设备代码对应另一台设备；检验机构已书面回函确认该报告并非其出具，材料原件已留存。`,
    answer: '报告由中介代办，我司并不知情，正在追究中介责任。',
    appeal: [26, '我司已重新委托检验并取得合格报告，附新报告复印件，请求复核并解除限制。'],
  },
  {
    firm: ['earth', '武汉'],
    project: 2,
    level: 2,
    reason: 'quit',
    daysAgo: 38,
    facts: (month) =>
      `两台履带式挖掘机按合同应服务至管廊沟槽移交，该企业于${month}未经项目部同意夜间撤离一台，造成沟槽开挖停工三天；项目部先后两次书面催告，对方未按期返场，监理签认记录与现场照片齐全。`,
    answer: '撤离的设备因液压系统故障需返厂检修，当日已电话告知现场负责人，后续愿意承担误工。',
    decided: 'held',
    appeal: [20, '故障设备已修复返场并补足工作量，误工费用已与项目部结清，附验收单，请求提前解除。'],
  },
  {
    firm: 0,
    project: 0,
    level: 1,
    reason: 'other',
    daysAgo: 26,
    facts: (month) =>
      `${month}进场的一台履带式液压挖掘机未随机携带合格证原件，经项目部提醒后次日补齐；未影响施工，予以提示，请在后续进场前按清单核对随机资料。`,
    answer: '已建立出库资料清单，由调度逐项签字。',
    decided: 'held',
  },
  {
    firm: ['road', '成都'],
    project: 0,
    level: 2,
    reason: 'arrears',
    daysAgo: 3,
    facts: (month) =>
      `该企业拖欠随机压路机司机${month}前两个月工资，司机到项目部聚集讨薪两次，影响正常施工；项目部已垫付部分工资并取得收据，拟限制其在本单位范围内继续报价。`,
  },
]

const dayMs = 86_400_000

type Acting = { services: Services; people: People; timeline: Timeline; now: Date; paper: Picture }

/** Plans the restriction list: from the day of its decision a firm is restricted, so it quotes no more where the entry holds. */
export async function planRestrictions(services: Services, people: People, given: Pick<Acting, 'timeline' | 'now'>): Promise<void> {
  const acting = { services, people, ...given, paper: await drawnPaper(50, true) }
  for (const one of cases) planCase(acting, one)
}

function planCase(acting: Acting, one: Case): void {
  const { services, people, timeline, now, paper } = acting
  const { daysAgo, answer, decided, appeal, lifted } = one
  const firm = firmOf(people, one.firm)
  if (!firm) return
  const project = one.project === null ? undefined : people.projects[one.project]
  const after = (days: number) => new Date(now.getTime() - (daysAgo - days) * dayMs)
  timeline.add(after(-1), async (at) => {
    const [proposer, decider] = await sidesOf(services, project)
    const subject = await actorOf(services.db, { id: firm.accountId })
    const evidence = { name: '证据.png', purpose: 'blacklist' as const, accountId: proposer.accountId, companyId: proposer.companyId }
    const evidenceIds = await storeFiles(services, [{ ...evidence, createTime: at, picture: paper }])
    const input = { ...(await inputOf(services, one, { firm, project, at })), evidenceIds }
    const { id } = await transact(services, { actor: proposer, now: at }, (deed) =>
      audited(deed, proposer, { action: 'blacklist.propose', bizType: 'blacklist' }, () => proposeEntry(deed, input)),
    )
    const decide = (
      days: number,
      action: AuditAction,
      note: string,
      move: (deed: Deed, decision: { id: number; version: number; note: string }) => Promise<void>,
    ) =>
      timeline.add(after(days), (time) =>
        transact(services, { actor: decider, now: time }, async (deed) => {
          const { version } = await deed.db.selectFrom('blacklist').where('id', '=', id).select('version').executeTakeFirstOrThrow()
          const decision = { id, version, note }
          await audited(deed, decider, { action, bizType: 'blacklist', id, reason: note }, () => move(deed, decision))
        }),
      )
    const schedule = (days: number, move: (deed: Deed) => Promise<void>) =>
      timeline.add(after(days), (time) => transact(services, { actor: subject, now: time }, (deed) => move(deed)))
    if (project)
      timeline.add(after(0), (time) =>
        transact(services, { actor: proposer, now: time }, (deed) =>
          audited(deed, proposer, { action: 'blacklist.notify', bizType: 'blacklist', id }, () => notifyEntry(deed, id)),
        ),
      )
    else decide(0, 'blacklist.emergency', '检验机构回函明确，先行限制，听取陈述后复核', decideEmergency)
    if (answer) schedule(2, (deed) => answerEntry(deed, { id, answer, fileIds: [] }))
    if (decided)
      decide(
        blacklistRules.answerDays + 1,
        'blacklist.decide',
        decided === 'held' ? '事实清楚，证据充分，同意列入' : '证据不足，不予列入',
        (deed, decision) => decideEntry(deed, { ...decision, effective: decided === 'held' }),
      )
    if (appeal) schedule(appeal[0], (deed) => appealEntry(deed, { id, content: appeal[1], fileIds: [] }))
    if (lifted) decide(lifted[0], 'blacklist.lift', lifted[1], liftEntry)
  })
}

const firmOf = ({ lessors }: People, firm: Case['firm']): LessorSeed | undefined =>
  typeof firm === 'number' ? lessors[firm] : lessors.find(({ trade, city }) => trade === firm[0] && city.name === firm[1])

/** The proposal as the form sends it: it is to hold from the day of the notice, for a year. */
async function inputOf(
  { db }: Services,
  one: Case,
  { firm, project, at }: { firm: LessorSeed; project: ProjectSeed | undefined; at: Date },
) {
  const dept =
    project && (await db.selectFrom('dept').where('id', '=', project.deptId).select(['parentId', 'ancestors']).executeTakeFirstOrThrow())
  const fromDay = addDays(dayOf(at), 1)
  return {
    subjectKind: 'company' as const,
    companyId: firm.companyId,
    equipmentId: null,
    personName: '',
    level: one.level,
    scopeDeptId: (one.everywhere ? dept?.ancestors[0] : dept?.parentId) ?? null,
    reasonCode: one.reason,
    // It happened some days before it was written down.
    facts: one.facts(`${Number(addDays(fromDay, -6).slice(5, 7))}月`),
    fromDay,
    toDay: addDays(fromDay, 365),
  }
}

/** Who proposes and who decides: a project and the administrator of its organisation, or two of the platform's staff. */
async function sidesOf({ db }: Services, project: ProjectSeed | undefined): Promise<[Actor, Actor]> {
  const proposer = project ? { id: project.accountId } : { userName: 'risk' }
  return [await actorOf(db, proposer), await actorOf(db, { userName: project ? 'lessee' : 'operator' })]
}
