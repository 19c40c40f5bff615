import type { FeedbackStatus, FeedbackType } from '#shared/feedback/rules.ts'
import type { Services } from '#server/services.ts'

const feedback: {
  who: string
  type: FeedbackType
  title: string
  content: string
  daysAgo: number
  status: FeedbackStatus
  replies: [byOperator: boolean, content: string][]
}[] = [
  {
    who: 'project',
    type: 'suggestion',
    title: '比价表希望能按到场总价排序',
    content: '报价家数多的时候，从上往下看不出谁最低，希望能按到场总价从低到高排列。',
    daysAgo: 26,
    status: '3',
    replies: [
      [true, '已安排，预计两周内上线。'],
      [false, '好的，谢谢。'],
      [true, '按行比价已按到场总价从低到高排列，最低一家有标记。'],
    ],
  },
  {
    who: 'project',
    type: 'fault',
    title: '手机上看附件要下载才能打开',
    content: '在工地用手机看需求附件，PDF 每次都要下载，流量和时间都不划算，能不能直接预览？',
    daysAgo: 3,
    status: '2',
    replies: [[true, '收到，图片和 PDF 可以直接在浏览器中打开；其他格式仍需下载。']],
  },
  {
    who: 'lessor',
    type: 'data',
    title: '设备类别缺少伸缩臂叉装车',
    content: '我们有三台伸缩臂叉装车，上传时找不到合适的类别，只能放在叉车里，参数对不上。',
    daysAgo: 1,
    status: '0',
    replies: [],
  },
]

/** Feedback with its threads, favourites and saved searches of the demo's people. */
export async function seedVoices({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  const at = (daysAgo: number) => new Date(now.getTime() - daysAgo * 86_400_000)
  const people = await db
    .selectFrom('account')
    .where('userName', 'in', ['project', 'lessor', 'operator'])
    .select(['id', 'userName'])
    .execute()
  const idOf = (userName: string) => people.find((one) => one.userName === userName)?.id ?? 0
  for (const [index, { who, replies, daysAgo, ...rest }] of feedback.entries()) {
    const { id } = await db
      .insertInto('feedback')
      .values({
        ...rest,
        feedbackCode: `FK${at(daysAgo).toISOString().slice(0, 10).replaceAll('-', '')}900${index}`,
        accountId: idOf(who),
        satisfaction: rest.status === '3' ? 5 : null,
        createTime: at(daysAgo),
        updateTime: at(daysAgo - 0.2 * replies.length),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (replies.length > 0)
      await db
        .insertInto('feedbackReply')
        .values(
          replies.map(([byOperator, content], step) => ({
            feedbackId: id,
            accountId: idOf(byOperator ? 'operator' : who),
            byOperator,
            content,
            at: at(daysAgo - 0.2 * (step + 1)),
          })),
        )
        .execute()
  }
  const machines = await db
    .selectFrom('equipment')
    .where('shelfStatus', '=', '1')
    .orderBy('id', 'desc')
    .limit(3)
    .select(['id', 'companyId'])
    .execute()
  await db
    .insertInto('favourite')
    .values([
      ...machines.map(({ id }, index) => ({ accountId: idOf('project'), bizType: 'equipment' as const, bizId: id, at: at(index + 1) })),
      { accountId: idOf('project'), bizType: 'supplier' as const, bizId: machines[0]?.companyId ?? 0, at: at(1) },
    ])
    .execute()
  await db
    .insertInto('savedSearch')
    .values({
      accountId: idOf('project'),
      list: 'equipment',
      name: '成都附近的汽车起重机',
      query: 'provinceId=510000&fatherCategoryId=200',
      checkedAt: now,
      createTime: at(4),
    })
    .execute()
}
