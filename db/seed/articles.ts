import { articleStatus, articleTab } from '#shared/article/rules.ts'
import type { Services } from '#server/services.ts'
import { essays, notices } from './essays.ts'
import { storeFiles } from './files.ts'
import { photoOf, photoSize, type Picture } from './pictures.ts'
import type { Dice } from './random.ts'

/** Information of the three tabs in the order of its publication; the deal publications come from the awards themselves. */
export async function seedArticles(services: Services, dice: Dice, now: Date): Promise<void> {
  const { db } = services
  const { id: accountId } = await db.selectFrom('account').where('userName', '=', 'operator').select('id').executeTakeFirstOrThrow()
  const at = (days: number) => new Date(now.getTime() - days * 86_400_000 - dice.between(1, 9) * 3_600_000)
  const covers = await Promise.all(
    essays.map(({ cover }, seed) => photoOf({ category: cover, plate: '', isRoadPlate: false, hours: null, seed })),
  )
  const coverIds = await storeFiles(
    services,
    essays.map(({ daysAgo }, index) => ({
      name: '封面.jpg',
      purpose: 'article',
      accountId,
      companyId: null,
      createTime: at(daysAgo + 1),
      picture: covers[index] as Picture,
    })),
  )
  const rows = [
    ...essays.map(({ title, summary, body, daysAgo }, index) => ({
      tab: articleTab.industry,
      title,
      summary,
      content: `<p><img src="/prod-api/file/${coverIds[index]}" alt="" width="${photoSize.width}" height="${photoSize.height}"></p>${body}`,
      source: '设备租赁研究室',
      author: '编辑部',
      top: index === 0,
      publishTime: at(daysAgo),
      viewCount: dice.between(60, 900),
      coverId: coverIds[index],
    })),
    ...notices.map(({ title, summary, body, daysAgo }) => ({
      tab: articleTab.notices,
      title,
      summary,
      content: body,
      source: '平台运营',
      author: '平台运营',
      top: false,
      publishTime: at(daysAgo),
      viewCount: dice.between(60, 900),
      coverId: undefined,
    })),
    ...(await dealPublications(services, dice)),
  ].toSorted((a, b) => a.publishTime.getTime() - b.publishTime.getTime())
  const stored = await db
    .insertInto('article')
    .values(
      rows.map(({ coverId: _, ...row }) => ({
        ...row,
        status: articleStatus.published,
        accountId,
        createTime: row.publishTime,
        updateTime: row.publishTime,
      })),
    )
    .returning(['id', 'title'])
    .execute()
  await db
    .insertInto('articleImage')
    .values(
      rows.flatMap(({ title, coverId }) => {
        const articleId = stored.find((article) => article.title === title)?.id
        return coverId && articleId ? [{ articleId, fileId: coverId }] : []
      }),
    )
    .execute()
}

async function dealPublications({ db }: Services, dice: Dice) {
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
  return [...Map.groupBy(deals, ({ id }) => id).values()].slice(0, 14).flatMap((lines) => {
    const [first] = lines
    if (!first) return []
    const body = lines.map(({ name, qty, enterpriseName }) => `<tr><td>${name}</td><td>${qty}</td><td>${enterpriseName}</td></tr>`).join('')
    return [
      {
        tab: articleTab.deals,
        title: `成交公示：${first.title}`.slice(0, 80),
        summary: `${first.demandCode}，公示期 3 天。`,
        content: `<p>下列设备已定标，公示期三日。对结果有异议的，请在公示期内通过系统反馈提出。</p><table><thead><tr><th>设备</th><th>台数</th><th>出租方</th></tr></thead><tbody>${body}</tbody></table>`,
        author: '平台运营',
        source: '平台运营',
        top: false,
        publishTime: new Date(`${first.at.replace(' ', 'T')}+08:00`),
        viewCount: dice.between(10, 200),
        coverId: undefined,
      },
    ]
  })
}
