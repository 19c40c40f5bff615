import { articleTab } from '#shared/article/rules.ts'
import { toMoment } from '#shared/calendar.ts'
import type { Db } from '#server/db/connect.ts'
import type { Dice } from './random.ts'

const industry: [title: string, summary: string][] = [
  ['塔机租赁询价口径：裸机、含司机与安拆费怎么写', '同一台 QTZ80，口径不同价差可达三成，附需求单填写示例。'],
  ['非道路移动机械编码登记要点', '登记卡、铭牌与进入禁用区的核验顺序。'],
  ['汽车起重机台班与月租如何换算', '按 26 个台班折合，双班另计。'],
  ['租赁增值税：含司机与裸机税率的区别', '含操作人员属于建筑服务，裸机为有形动产租赁。'],
  ['大型设备进场前的证照核对清单', '使用登记、定期检验、安拆资质与人员证四类。'],
  ['春节停工期间的报停与计费约定', '免租天数写进合同，避免节后争议。'],
  ['旋挖钻机入岩工况的报价注意事项', '延米计价须写明岩层与起算深度。'],
  ['项目部台班签认的四个时间点', '一天一签、三天一复、七天一汇、一月一批。'],
  ['高处作业平台进场检查十项', '限位、倾斜报警、下降阀与蓄电池逐项确认。'],
  ['中小企业款项支付条例对设备租赁结算的影响', '付款期限与逾期利息的计算方法。'],
]
const notices: [title: string, summary: string][] = [
  ['平台开放按行定标与部分定标', '同一需求可分给多家出租方，未定部分可另行处理。'],
  ['密封报价规则说明', '截止前任何人不能查看价格，到点自动开标。'],
  ['关于出租方证照有效期核对的通知', '证照须覆盖整个租期，不足的需承诺续期。'],
  ['系统维护通知', '维护期间可浏览，不能提交。'],
]

/** Information of tabs 1 and 2; tab 3, the deal publications, comes from the awards themselves. */
export async function seedArticles(db: Db, dice: Dice, now: Date): Promise<void> {
  const at = (days: number) => new Date(now.getTime() - days * 86_400_000 - dice.between(1, 9) * 3_600_000)
  const paragraphs = (summary: string) =>
    [
      summary,
      '设备租赁价格由租金、进出场、安拆、油料、司机与税费共同构成。比较报价前，先把责任分工写清楚，再按实际租期折算到场总价。',
      '建议项目部在需求单中写明主参数、进退场日期、班制和付款方式；出租方按真实设备报价，并核对证照有效期是否覆盖退场日期。',
      '本文内容供业务参考，具体以合同约定和现行规定为准。',
    ]
      .map((paragraph) => `<p>${paragraph}</p>`)
      .join('')
  const rows = [
    ...Array.from({ length: 36 }, (_, index) => {
      const [title, summary] = industry[index % industry.length] as [string, string]
      const round = Math.floor(index / industry.length)
      return {
        tab: articleTab.industry,
        title: round === 0 ? title : `${title}（${['', '二', '三', '四'][round]}）`,
        summary,
        days: index * 6 + 1,
        source: '设备租赁研究室',
      }
    }),
    ...Array.from({ length: 12 }, (_, index) => {
      const [title, summary] = notices[index % notices.length] as [string, string]
      return {
        tab: articleTab.notices,
        title: index < notices.length ? title : `${title}（第 ${Math.floor(index / notices.length) + 1} 期）`,
        summary,
        days: index * 17 + 2,
        source: '平台运营',
      }
    }),
  ]
  const deals = await db
    .selectFrom('award')
    .innerJoin('demand', 'demand.id', 'award.demandId')
    .innerJoin('awardLine', 'awardLine.awardId', 'award.id')
    .innerJoin('company', 'company.id', 'awardLine.companyId')
    .innerJoin('demandItem', 'demandItem.id', 'awardLine.demandItemId')
    .innerJoin('category', 'category.id', 'demandItem.categoryId')
    .orderBy('award.id', 'desc')
    .select(['award.id', 'award.at', 'demand.title', 'demand.demandCode', 'company.enterpriseName', 'category.name', 'awardLine.qty'])
    .limit(60)
    .execute()
  const published = [...Map.groupBy(deals, ({ id }) => id).values()].slice(0, 14)
  await db
    .insertInto('article')
    .values([
      ...rows.map(({ days, summary, ...row }) => ({
        ...row,
        summary,
        content: paragraphs(summary),
        author: '编辑部',
        top: days < 3,
        publishTime: at(days),
        viewCount: dice.between(30, 900),
      })),
      ...published.map((lines) => ({
        tab: articleTab.deals,
        title: `成交公示：${lines[0]?.title}`.slice(0, 80),
        summary: `${lines[0]?.demandCode}，公示期 3 天。`,
        content: `<table><thead><tr><th>设备</th><th>台数</th><th>出租方</th></tr></thead><tbody>${lines.map((line) => `<tr><td>${line.name}</td><td>${line.qty}</td><td>${line.enterpriseName}</td></tr>`).join('')}</tbody></table>`,
        author: '平台运营',
        source: '平台运营',
        publishTime: new Date(`${(lines[0]?.at ?? toMoment(now)).replace(' ', 'T')}+08:00`),
        viewCount: dice.between(10, 200),
      })),
    ])
    .execute()
}
