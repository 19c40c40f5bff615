import { operatorDuties, permissionsFor, userType } from '#shared/account/rules.ts'
import { publishArticle, insertArticle } from '#server/article/manage.ts'
import { sendToAudience, countAudience } from '#server/broadcast/queries.ts'
import { audited } from '#server/audit/log.ts'
import { gradeCompany } from '#server/company/manage.ts'
import { handleContact } from '#server/contact/queries.ts'
import { transact } from '#server/deed.ts'
import { takeMachineDown } from '#server/equipment/review.ts'
import { writeSetting } from '#server/setting/queries.ts'
import type { Services } from '#server/services.ts'

const hour = 3_600_000

const requests = [
  ['吴来客', '岭南示例机械有限公司', '14400008101', 'supply', '我司有 60 余台高空车，想入驻平台，请告知流程和费用。', 3],
  ['郑来客', '示例建工设备部', '14400008102', 'project', '希望把集团下属 12 个项目部一起接入，能否安排演示？', 20],
  ['周来客', '工程机械观察', '14400008103', 'media', '想采访贵平台关于设备租赁价格指数的做法。', 70],
] as const

/** What the platform's staff have done and still have to do. The console's own code does it, so the audit log has it. */
export async function seedConsole(services: Services): Promise<void> {
  const { db, hub, clock } = services
  const now = clock.now()
  const at = (hours: number) => new Date(now.getTime() - hours * hour)
  const { id } = await db.selectFrom('account').where('userName', '=', 'operator').select('id').executeTakeFirstOrThrow()
  const actor = {
    accountId: id,
    userName: 'operator',
    userType: userType.operator,
    role: 'operator' as const,
    permissions: permissionsFor('operator', operatorDuties, true),
    companyId: null,
    deptId: null,
    isAdmin: true,
    address: '127.0.0.1',
  }
  const contacts: number[] = []
  for (const [name, company, phone, type, content, hours] of requests)
    contacts.push(
      (
        await db
          .insertInto('contact')
          .values({ name, company, phone, type, content, createTime: at(hours) })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id,
    )
  const lessor = await db.selectFrom('account').where('userName', '=', 'lessor2').select('companyId').executeTakeFirstOrThrow()
  const graded = { id: lessor.companyId ?? 0, reason: '近半年履约记录良好' }
  await transact(services, { actor, now: at(96) }, (deed) =>
    audited(deed.db, actor, { action: 'company.grade', bizType: 'company', ...graded }, deed.now, () =>
      gradeCompany(deed, { ...graded, grade: 'B' }),
    ),
  )
  await writeSetting(db, actor, { key: 'review', value: { trustGrades: ['A'] }, reason: 'A 级企业设备先上架后审核' }, at(80))
  await handleContact(db, actor, contacts[2] ?? 0, '已转市场部，约定下周电话采访', at(60))
  const taken = await db
    .selectFrom('equipment')
    .where('shelfStatus', '=', '1')
    .where('delFlag', '=', '0')
    .orderBy('id')
    .offset(200)
    .limit(1)
    .select('id')
    .executeTakeFirstOrThrow()
  const taking = { id: taken.id, reason: '照片与所填型号不一致，请更换后联系平台' }
  await transact(services, { actor, now: at(50) }, (deed) =>
    audited(deed.db, actor, { action: 'equipment.takeDown', bizType: 'equipment', ...taking }, deed.now, () =>
      takeMachineDown(deed, taking),
    ),
  )
  const audience = { roles: ['leaser' as const], provinceIds: [], companyIds: [] }
  const { people } = await countAudience(db, audience)
  await sendToAudience(
    db,
    hub,
    actor,
    {
      title: '年检提醒',
      content: '请核对在架设备的年检和保险有效期，到期设备会自动下架。',
      link: '/workbench/cequipment',
      audience,
      people,
    },
    at(30),
  )
  const notice = await insertArticle(
    db,
    actor,
    {
      tab: '2',
      title: '关于月底系统升级的公告',
      summary: '升级期间可以浏览，暂停发布和报价两小时。',
      content:
        '<p>为提升开标速度，平台将于月底夜间升级。升级期间可以正常浏览，暂停发布和报价两小时。</p><p>升级窗口内到期的需求自动顺延。</p>',
      source: '平台运营',
      author: '平台运营',
      top: false,
    },
    at(6),
  )
  const tomorrow = new Date(now.getTime() + 24 * hour)
  await publishArticle(db, actor, notice.id, `${tomorrow.toISOString().slice(0, 10)} 10:00:00`, at(5))
  await insertArticle(
    db,
    actor,
    {
      tab: '1',
      title: '起重机械备案新要求解读（草稿）',
      summary: '',
      content: '<p>待补充各地住建部门的办理口径。</p>',
      source: '',
      author: '平台运营',
      top: false,
    },
    at(2),
  )
}
