import { operatorDuties, userType } from '#shared/account/rules.ts'
import { permissionsFor, permissionsOf } from '#shared/account/permissions.ts'
import { shelfStatus } from '#shared/equipment/rules.ts'
import type { FeedbackType } from '#shared/feedback/rules.ts'
import type { Actor } from '#server/actor/actor.ts'
import { transact } from '#server/deed.ts'
import { answerFeedback, askAgain, closeFeedback, insertFeedback } from '#server/feedback/queries.ts'
import type { Services } from '#server/services.ts'
import { since, type Timeline } from './timeline.ts'

/** Answers of the operator and what the person said after them in turn; `closed`: with so many stars. */
type Voice = { who: string; type: FeedbackType; title: string; content: string; daysAgo: number; answers: string[]; closed?: number }

const voices: Voice[] = [
  {
    who: 'project3',
    type: 'suggestion',
    title: '需求单希望能复制上一次的条款',
    content: '每次发布都要重新写进场和验收要求，希望能从上一条需求带过来。',
    daysAgo: 212,
    answers: ['需求详情页的“复制”会带上条款与明细，请试用。', '好用，谢谢。'],
    closed: 5,
  },
  {
    who: 'lessor4',
    type: 'data',
    title: '剪叉车缺少整机宽度参数',
    content: '室内项目都问能不能过门，参数里没有整机宽度，只能写在备注。',
    daysAgo: 198,
    answers: ['已在剪叉式高空作业平台的参数中加入“整机宽度”。'],
    closed: 5,
  },
  {
    who: 'lessor7',
    type: 'fault',
    title: '台班单价保存后显示两位小数',
    content: '填 1180，保存后变成 1180.00，列表里很难看。',
    daysAgo: 185,
    answers: ['列表已改为不显示多余的零。'],
    closed: 4,
  },
  {
    who: 'project',
    type: 'suggestion',
    title: '比价表希望能按到场总价排序',
    content: '报价家数多的时候，从上往下看不出谁最低，希望能按到场总价从低到高排列。',
    daysAgo: 156,
    answers: ['已安排，预计两周内上线。', '好的，谢谢。', '按行比价已按到场总价从低到高排列，最低一家有标记。'],
    closed: 5,
  },
  {
    who: 'unit2',
    type: 'suggestion',
    title: '希望下属项目的需求能分单位统计',
    content: '季度汇报需要按项目部看发布数、成交数和节约额。',
    daysAgo: 143,
    answers: ['统计页可按单位展开，并可导出 Excel。'],
    closed: 5,
  },
  {
    who: 'lessor12',
    type: 'complaint',
    title: '项目部定标后一直没有联系',
    content: '中选三天了没有人联系进场，电话也打不通。',
    daysAgo: 131,
    answers: ['已联系项目部机料部，对方今天会与您确认进场时间。', '已经联系上了。'],
    closed: 3,
  },
  {
    who: 'lessor3',
    type: 'data',
    title: '塔机要能填附着高度',
    content: '独立高度和最大附着高度是两回事，客户经常问。',
    daysAgo: 118,
    answers: ['塔式起重机已有“最大附着高度”一项，请在编辑页补充。'],
    closed: 5,
  },
  {
    who: 'project6',
    type: 'fault',
    title: '消息提醒声音太频繁',
    content: '开标当天连续弹出十几条，能不能合并？',
    daysAgo: 104,
    answers: ['订阅设置里可以把不需要的主题改为静默，也可以设置免打扰时间。'],
    closed: 4,
  },
  {
    who: 'lessor15',
    type: 'suggestion',
    title: '旋挖报价希望能按延米',
    content: '桩基项目基本按延米结算，月租没法比。',
    daysAgo: 96,
    answers: ['旋挖钻机可按元/月或元/延米报价，发布方选择延米时须填写预计工程量。'],
    closed: 5,
  },
  {
    who: 'project10',
    type: 'other',
    title: '增值税专票的税率怎么选',
    content: '含司机和不含司机税率不一样，报价里看到 9% 和 13%，以哪个为准？',
    daysAgo: 88,
    answers: ['含操作人员属建筑服务，适用 9%；不含操作人员为有形动产租赁，适用 13%。'],
    closed: 5,
  },
  {
    who: 'lessor2',
    type: 'fault',
    title: '导入表格时日期格式报错',
    content: '出厂日期写成 2021/6/1 提示不认识，要一行行改。',
    daysAgo: 77,
    answers: ['现在 2021/6/1、2021.6.1 都能识别，不确定的会给出建议。'],
    closed: 5,
  },
  {
    who: 'lessor11',
    type: 'suggestion',
    title: '希望能一次确认全部设备在库',
    content: '几十台剪叉车一台台点确认太慢。',
    daysAgo: 66,
    answers: ['设备管理列表勾选后可以批量确认。'],
    closed: 5,
  },
  {
    who: 'project14',
    type: 'data',
    title: '徐州贾汪区的距离算得偏远',
    content: '项目在贾汪，显示离徐州的设备二十多公里，实际就在隔壁。',
    daysAgo: 58,
    answers: ['距离按城市中心计算，仅供比较运距量级，具体以踏勘为准。'],
    closed: 3,
  },
  {
    who: 'lessor5',
    type: 'suggestion',
    title: '汽车吊能否写清主臂和副臂',
    content: '客户要 42 米主臂加 8 米副臂，参数里只有一个臂长。',
    daysAgo: 49,
    answers: ['主臂最大长度与副臂长度现在是两项参数。'],
    closed: 5,
  },
  {
    who: 'project',
    type: 'fault',
    title: '手机上看附件要下载才能打开',
    content: '在工地用手机看需求附件，PDF 每次都要下载，流量和时间都不划算，能不能直接预览？',
    daysAgo: 41,
    answers: ['收到，图片可以直接在浏览器中打开；其他格式仍需下载。'],
    closed: 3,
  },
  {
    who: 'lessor14',
    type: 'complaint',
    title: '对方要求先垫付进场费',
    content: '项目部口头要求我们先垫付吊装和运输费，合同里没有写。',
    daysAgo: 33,
    answers: ['请以报价单中的进出场费为准，并通过平台问答书面确认；已提醒项目部。', '问答里已经写清楚了。'],
  },
  {
    who: 'unit1',
    type: 'suggestion',
    title: '限价表希望能按区域设置',
    content: '成都和昆明的价格差不少，一个限价不合适。',
    daysAgo: 27,
    answers: ['限价表支持按区域、主参数区间与是否含司机分别设置。'],
    closed: 5,
  },
  {
    who: 'lessor9',
    type: 'fault',
    title: '压路机激振力不能填两个数',
    content: '强振和弱振是 405/290，只让填一个数字。',
    daysAgo: 21,
    answers: ['激振力已改为文本，可填“405/290”。'],
    closed: 5,
  },
  {
    who: 'project8',
    type: 'suggestion',
    title: '能否提醒我证照快到期的设备',
    content: '在场设备的检验证快到期时希望提前一个月提醒项目部。',
    daysAgo: 16,
    answers: ['出租方会在到期前四十五天和七天收到提醒；项目部侧的提醒已列入计划。'],
  },
  {
    who: 'lessor',
    type: 'suggestion',
    title: '希望看到没中标的差距',
    content: '每次只看到未中选，不知道差在价格还是时间。',
    daysAgo: 11,
    answers: ['定标后可以看到落选原因；价格差距涉及其他报价方，暂不公开。'],
  },
  {
    who: 'project5',
    type: 'data',
    title: '轨道交通项目想加铺轨设备类别',
    content: '铺轨基地要用轨排车和铺轨机，类别里没有，只能选其他设备。',
    daysAgo: 8,
    answers: ['已记录，正在整理轨道类设备的参数，先选“其他设备”。', '好的，最好能分轨距。'],
  },
  {
    who: 'lessor6',
    type: 'fault',
    title: '安卓手机上传照片偶尔转圈',
    content: '信号不好的时候照片上传到一半没有反应，要退出来重新传。',
    daysAgo: 5,
    answers: ['请问照片大约多大、什么型号的手机？我们在复现。'],
  },
  {
    who: 'lessee',
    type: 'suggestion',
    title: '希望审批意见可以选常用语',
    content: '退回需求时经常写同样的话，希望能选常用语。',
    daysAgo: 3,
    answers: [],
  },
  {
    who: 'project2',
    type: 'complaint',
    title: '报价单位与需求不一致',
    content: '我们要按台班，有出租方在备注里写按月，无法比较。',
    daysAgo: 2,
    answers: [],
  },
  {
    who: 'lessor',
    type: 'data',
    title: '挖掘机属具想单独上架',
    content: '我们有四套破碎锤和抓斗单独出租，不知道放在挖掘机下面还是属具类别里。',
    daysAgo: 1,
    answers: [],
  },
]

const fromPerson = (person: { id: number; userName: string; companyId: number | null; deptId: number | null }): Actor => ({
  accountId: person.id,
  userName: person.userName,
  userType: userType.lessor,
  role: 'leaser',
  contractRole: 'leaser',
  permissions: permissionsOf.leaser,
  companyId: person.companyId,
  deptId: person.deptId,
  isAdmin: false,
  setup: null,
  address: '',
})

/** Plans the feedback of fourteen people with its answers, by the calls that they use. */
export async function planFeedback(services: Services, { now, timeline }: { now: Date; timeline: Timeline }): Promise<void> {
  const { db } = services
  const names = [...new Set(voices.map(({ who }) => who)), 'operator']
  const people = await db.selectFrom('account').where('userName', 'in', names).select(['id', 'userName', 'companyId', 'deptId']).execute()
  const personOf = (userName: string) => {
    const person = people.find((one) => one.userName === userName)
    if (!person) throw new Error(`nobody is called ${userName}`)
    return fromPerson(person)
  }
  const operator: Actor = {
    ...personOf('operator'),
    userType: userType.operator,
    role: 'operator',
    permissions: permissionsFor('operator', operatorDuties, true),
  }
  const at = (daysAgo: number) => since(now, daysAgo)
  for (const [index, { who, type, title, content, daysAgo, answers, closed }] of voices.entries()) {
    const author = personOf(who)
    timeline.add(at(daysAgo - (index % 7) / 24), async (written) => {
      const { id } = await transact(services, { actor: author, now: written }, (deed) =>
        insertFeedback(deed, { type, title, content, contact: '', images: [] }),
      )
      const later = (step: number) => new Date(Math.min(written.getTime() + step * 7 * 3_600_000, now.getTime() - 60_000))
      for (const [step, words] of answers.entries())
        timeline.add(later(step + 1), (moment) =>
          transact(services, { actor: step % 2 === 0 ? operator : author, now: moment }, (deed) =>
            (step % 2 === 0 ? answerFeedback : askAgain)(deed, { id, content: words, seen: step }),
          ),
        )
      if (closed)
        timeline.add(later(answers.length + 2), (moment) =>
          transact(services, { actor: author, now: moment }, (deed) => closeFeedback(deed, { id, satisfaction: closed })),
        )
    })
  }
}

/** Favourites and a saved search of the demo's people. */
export async function seedFavourites({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  const at = (daysAgo: number) => since(now, daysAgo)
  const { id: accountId } = await db.selectFrom('account').where('userName', '=', 'project').select('id').executeTakeFirstOrThrow()
  const machines = await db
    .selectFrom('equipment')
    .where('shelfStatus', '=', shelfStatus.on)
    .where('categoryId', 'in', [101, 201, 203])
    .orderBy('id', 'desc')
    .limit(3)
    .select(['id', 'companyId'])
    .execute()
  await db
    .insertInto('favourite')
    .values([
      ...machines.map(({ id }, index) => ({ accountId, bizType: 'equipment' as const, bizId: id, at: at(index + 1) })),
      { accountId, bizType: 'supplier' as const, bizId: machines[0]?.companyId ?? 0, at: at(1) },
    ])
    .execute()
  await db
    .insertInto('savedSearch')
    .values({
      accountId,
      list: 'equipment',
      name: '成都附近的汽车起重机',
      query: 'provinceId=510000&fatherCategoryId=200',
      checkedAt: now,
      createTime: at(4),
    })
    .execute()
}
