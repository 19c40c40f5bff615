import type { UserType } from '#shared/account/rules.ts'
import type { ArticleStatus } from '#shared/article/rules.ts'
import type { BlacklistStatus } from '#shared/blacklist/rules.ts'
import type { CertificationStatus } from '#shared/certification/rules.ts'
import { monday, type World } from './world.ts'

/** Builders of the rows that the platform's staff act upon, each written to the database in the state that an action needs. */
export async function platformRows({ db, cast, givenMachine }: World) {
  const id = async (query: { execute(): Promise<{ id: number }[]> }) => (await query.execute())[0]?.id ?? 0
  const at = { createTime: monday, updateTime: monday }

  const waiting = async () => {
    const made = await givenMachine(cast.lessor.companyId, { shelfStatus: '0' })
    await db.updateTable('equipment').set({ auditStatus: '1', submitTime: monday }).where('id', '=', made).execute()
    return made
  }
  const versionOf = async (table: 'equipment' | 'account' | 'article' | 'category', of: number) =>
    (await db.selectFrom(table).where('id', '=', of).select('version').executeTakeFirstOrThrow()).version
  let certified = 0
  const certification = async (status: CertificationStatus) => {
    certified++
    return id(
      db
        .insertInto('certification')
        .values({
          accountId: cast.newcomer.id,
          kind: (['lease', 'rentout', 'dept'] as const)[certified % 3] ?? 'lease',
          status,
          name: '记录租赁有限公司',
          form: JSON.stringify({
            enterpriseName: '记录租赁有限公司',
            creditCode: '91510107DEM012347X',
            legalPersonPhone: '13900001234',
            entityType: '1',
            taxpayerType: 'general',
            groupName: '',
            legalPerson: '张样本',
            address: '',
            contactPhone: '13900001234',
            contactName: '李样本',
          }),
          submittedAt: monday,
          ...at,
        })
        .returning('id'),
    )
  }
  const clear = () => {
    certified = 2
    return db.deleteFrom('certification').execute()
  }
  const account = (userType: UserType = '1') =>
    id(
      db
        .insertInto('account')
        .values({
          userName: `who${Math.random().toString(36).slice(2, 10)}`,
          phonenumber: `139${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`,
          passwordHash: 'none',
          userType,
          createTime: monday,
        })
        .returning('id'),
    )
  const article = (status: ArticleStatus = '0') =>
    id(
      db
        .insertInto('article')
        .values({ tab: '1', title: '记录一条信息', content: '<p>正文</p>', status, publishTime: monday })
        .returning('id'),
    )
  const listed = async (status: BlacklistStatus, proposerId = cast.clerk.id) =>
    id(
      db
        .insertInto('blacklist')
        .values({
          blacklistCode: `HM${Math.random()}`,
          subjectKind: 'company',
          companyId: cast.lessor2.companyId,
          level: 1,
          reasonCode: 'accident',
          facts: '事实'.repeat(30),
          fromDay: '2026-11-23',
          toDay: '2027-11-23',
          status,
          proposerId,
          answerTime: monday,
          notifyTime: monday,
          ...at,
        })
        .returning('id'),
    )
  const { id: evidence } = await db
    .insertInto('file')
    .values({ name: 'a.pdf', size: 1, mime: 'application/pdf', sha256: Buffer.alloc(32), access: 'owner', accountId: cast.operator.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  const blacklistBody = {
    subjectKind: 'company',
    companyId: 0,
    equipmentId: null,
    personName: '',
    level: 1,
    scopeDeptId: null,
    reasonCode: 'other',
    facts: '平台核实的事实'.repeat(10),
    fromDay: '2026-11-23',
    toDay: '2027-11-23',
    evidenceIds: [evidence],
  }
  const cancellation = async () =>
    id(
      db
        .insertInto('cancellation')
        .values({ accountId: await account(), reason: '不用了', status: '2', requestedAt: monday, dueAt: monday })
        .returning('id'),
    )
  const contact = () =>
    id(
      db
        .insertInto('contact')
        .values({ name: '王样本', company: '来客公司', phone: '13912345678', type: 'other', content: '想合作', createTime: monday })
        .returning('id'),
    )
  const complaint = () =>
    id(
      db
        .insertInto('feedback')
        .values({ feedbackCode: `FK${Math.random()}`, accountId: cast.project.id, type: 'other', title: '问题', content: '内容', ...at })
        .returning('id'),
    )
  const group = () =>
    db.selectFrom('category').where('level', '=', 1).orderBy('id').select(['id', 'name', 'nameEn']).executeTakeFirstOrThrow()
  const categoryBody = async () => ({
    parentId: (await group()).id,
    name: `类别${Math.random()}`.slice(0, 12),
    nameEn: 'Some category',
    priceUnits: ['M'],
  })

  return {
    id,
    waiting,
    versionOf,
    certification,
    clear,
    account,
    article,
    listed,
    blacklistBody,
    cancellation,
    contact,
    complaint,
    categoryBody,
  }
}
