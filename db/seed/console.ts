import { operatorDuties, userType } from '#shared/account/rules.ts'
import { permissionsFor } from '#shared/account/permissions.ts'
import { articleTab } from '#shared/article/rules.ts'
import { contractStatus } from '#shared/contract/rules.ts'
import { shelfStatus } from '#shared/equipment/rules.ts'
import { paths } from '#shared/paths.ts'
import { delFlag } from '#shared/rules.ts'
import { insertArticle, publishArticle } from '#server/article/manage.ts'
import { audited } from '#server/audit/log.ts'
import { countAudience, sendBroadcast } from '#server/broadcast/queries.ts'
import { gradeCompany } from '#server/company/manage.ts'
import { handleContact } from '#server/contact/queries.ts'
import { lookAtContract } from '#server/contract/manage.ts'
import { transact, type Deed } from '#server/deed.ts'
import { takeMachineDown } from '#server/equipment/review.ts'
import { findSetting, saveSetting } from '#server/setting/queries.ts'
import type { Services } from '#server/services.ts'
import type { Timeline } from './timeline.ts'

const hour = 3_600_000

const requests = [
  ['吴来客', '岭南示例机械有限公司', '14400008101', 'supply', '我司有 60 余台高空车，想入驻平台，请告知流程和费用。', 3],
  ['郑来客', '示例建工设备部', '14400008102', 'project', '希望把集团下属 12 个项目部一起接入，能否安排演示？', 20],
  ['周来客', '工程机械观察', '14400008103', 'media', '想采访贵平台关于设备租赁价格指数的做法。', 70],
] as const

/** Plans what the platform's staff have done and still have to do. The console's own code does it, so the audit log has it. */
export async function planConsole(services: Services, { now, timeline }: { now: Date; timeline: Timeline }): Promise<void> {
  const { db } = services
  const { id } = await db.selectFrom('account').where('userName', '=', 'operator').select('id').executeTakeFirstOrThrow()
  const actor = {
    accountId: id,
    userName: 'operator',
    userType: userType.operator,
    role: 'operator' as const,
    contractRole: 'operator' as const,
    permissions: permissionsFor('operator', operatorDuties, true),
    companyId: null,
    deptId: null,
    isAdmin: true,
    setup: null,
    address: '127.0.0.1',
  }
  const at = (hours: number) => new Date(now.getTime() - hours * hour)
  const act = <T>(moment: Date, subject: Parameters<typeof audited>[2], work: (deed: Deed) => Promise<T>): Promise<T> =>
    transact(services, { actor, now: moment }, (deed) => audited(deed, actor, subject, () => work(deed)))
  planRequests(services, { at, timeline, act })
  timeline.add(at(96), async (moment) => {
    const { id, grade } = await db
      .selectFrom('account as a')
      .innerJoin('company', 'company.id', 'a.companyId')
      .where('a.userName', '=', 'lessor2')
      .select(['company.id', 'company.grade'])
      .executeTakeFirstOrThrow()
    const subject = { action: 'company.grade', bizType: 'company', id, reason: '近半年履约记录良好' } as const
    await act(moment, subject, (deed) => gradeCompany(deed, { id, grade: 'B', before: grade }))
  })
  const review = { key: 'review' as const, value: { trustGrades: ['A' as const] }, reason: 'A 级企业设备先上架后审核' }
  timeline.add(at(80), async (moment) => {
    await transact(services, { actor, now: moment }, async (deed) =>
      saveSetting(deed, { ...review, before: await findSetting(deed.db, 'review') }),
    )
  })
  timeline.add(at(50), async (moment) => {
    const taken = await db
      .selectFrom('equipment')
      .where('shelfStatus', '=', shelfStatus.on)
      .where('delFlag', '=', delFlag.present)
      .orderBy('id')
      .offset(200)
      .limit(1)
      .select('id')
      .executeTakeFirstOrThrow()
    const taking = { id: taken.id, reason: '照片与所填型号不一致，请更换后联系平台' }
    await act(moment, { action: 'equipment.takeDown', bizType: 'equipment', ...taking }, (deed) => takeMachineDown(deed, taking))
  })
  timeline.add(at(30), async (moment) => {
    const audience = { everybody: false, roles: ['leaser' as const], provinceIds: [], companyIds: [] }
    const { people } = await countAudience(db, audience)
    const letter = {
      title: '年检提醒',
      content: '请核对在架设备的年检和保险有效期，到期设备会自动下架。',
      link: paths.ownMachines,
      audience,
      people,
    }
    await act(moment, { action: 'broadcast.send', bizType: 'broadcast' }, (deed) => sendBroadcast(deed, letter))
  })
  timeline.add(at(9), async (moment) => {
    const looked = await db
      .selectFrom('contract')
      .innerJoin('account as auditor', 'auditor.companyId', 'contract.lesseeCompanyId')
      .where('auditor.userName', '=', 'auditor')
      .where('contract.status', '=', contractStatus.inForce)
      .orderBy('contract.id')
      .select('contract.id')
      .executeTakeFirstOrThrow()
    const look = { id: looked.id, reason: '出租方来电反映合同单价与定标不一致，核对后回复双方' }
    await act(moment, { action: 'contract.look', bizType: 'contract', ...look }, (deed) => lookAtContract(deed, look))
  })
  planArticles({ at, timeline, act, now })
}

type Acting = {
  at: (hours: number) => Date
  timeline: Timeline
  act: <T>(moment: Date, subject: Parameters<typeof audited>[2], work: (deed: Deed) => Promise<T>) => Promise<T>
}

/** Requests for contact, one of which has been handled. */
function planRequests({ db }: Services, { at, timeline, act }: Acting): void {
  for (const [name, company, phone, type, content, hours] of requests)
    timeline.add(at(hours), async (moment) => {
      const { id } = await db
        .insertInto('contact')
        .values({ name, company, phone, type, content, createTime: moment })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (type !== 'media') return
      const handled = { id, note: '已转市场部，约定下周电话采访' }
      timeline.add(at(60), (later) =>
        act(later, { action: 'contact.handle', bizType: 'contact', id, reason: handled.note }, (deed) => handleContact(deed, handled)),
      )
    })
}

/** A scheduled notice and a draft. */
function planArticles({ at, timeline, act, now }: Acting & { now: Date }): void {
  const added = { action: 'article.add', bizType: 'article' } as const
  timeline.add(at(6), async (moment) => {
    const article = await act(moment, added, (deed) =>
      insertArticle(deed, {
        tab: articleTab.notices,
        title: '关于月底系统升级的公告',
        summary: '升级期间可以浏览，暂停发布和报价两小时。',
        content:
          '<p>为提升开标速度，平台将于月底夜间升级。升级期间可以正常浏览，暂停发布和报价两小时。</p><p>升级窗口内到期的需求自动顺延。</p>',
        source: '平台运营',
        author: '平台运营',
        top: false,
      }),
    )
    const tomorrow = new Date(now.getTime() + 24 * hour)
    const publication = { ...article, publishTime: `${tomorrow.toISOString().slice(0, 10)} 10:00:00` }
    timeline.add(at(5), (later) =>
      act(later, { action: 'article.publish', bizType: 'article', id: article.id }, async (deed) => {
        await publishArticle(deed, publication)
      }),
    )
  })
  timeline.add(at(2), async (moment) => {
    await act(moment, added, (deed) =>
      insertArticle(deed, {
        tab: articleTab.industry,
        title: '起重机械备案新要求解读（草稿）',
        summary: '',
        content: '<p>待补充各地住建部门的办理口径。</p>',
        source: '',
        author: '平台运营',
        top: false,
      }),
    )
  })
}
