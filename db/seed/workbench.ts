import { addDays, dayOf } from '#shared/calendar.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import type { Services } from '#server/services.ts'
import { since } from './timeline.ts'

/** What the workbench of the demo's people shows besides what is played: ceilings and questions. */
export async function seedWorkbench(services: Services): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  const today = dayOf(now)
  const at = (daysAgo: number) => since(now, daysAgo)
  const account = async (userName: string) =>
    db.selectFrom('account').where('userName', '=', userName).select(['id', 'deptId', 'companyId']).executeTakeFirstOrThrow()
  const [project, lessee] = [await account('project'), await account('lessee')]
  const root = lessee.deptId ?? 0
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
    .where('status', '=', demandStatus.quoting)
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
