import { sql } from 'kysely'
import { toMoment } from '#shared/calendar.ts'
import type { Actor } from '../actor/actor.ts'
import { companyOf, inScope } from '../actor/scope.ts'
import type { Db, Read } from '../db/connect.ts'
import { tellOwner, tellQuoters } from '../demand/events.ts'
import { findPublicDemand } from '../demand/queries.ts'
import { Refusal } from '../http/refusal.ts'
import type { Hub } from '../message/hub.ts'
import { sendMessages } from '../message/queries.ts'
import { findDemandHead } from '../quote/market.ts'

/** For whoever may see the demand: the public, the invited, the owner and those above him. */
export async function findQuestions(db: Read, demandId: number, actor: Actor | null) {
  if (!(await mayRead(db, demandId, actor))) throw new Refusal('not_found')
  return db
    .selectFrom('demandQuestion')
    .where('demandId', '=', demandId)
    .orderBy('id')
    .limit(500)
    .select(['id', 'content', 'askTime', 'answer', 'answerTime', sql<boolean>`company_id = ${actor?.companyId ?? 0}`.as('mine')])
    .execute()
}

async function mayRead(db: Read, demandId: number, actor: Actor | null): Promise<boolean> {
  if (await findPublicDemand(db, demandId, actor)) return true
  if (!actor) return false
  const own = await db
    .selectFrom('demand')
    .where('id', '=', demandId)
    .where('status', '<>', '0')
    .where('delFlag', '=', '0')
    .where(inScope('demand.dept_id', actor))
    .select('id')
    .executeTakeFirst()
  return own !== undefined
}

export async function askQuestion(db: Db, hub: Hub, actor: Actor, input: { demandId: number; content: string }, now: Date) {
  const companyId = companyOf(actor)
  return db.transaction().execute(async (tx) => {
    const head = await findDemandHead(tx, input.demandId, companyId, now)
    if (!head) throw new Refusal('not_found')
    const until = head.clarifyDeadline ?? head.quoteDeadline
    if (head.status !== '3' || until === null || until <= toMoment(now)) throw new Refusal('clarify_over')
    const question = await tx
      .insertInto('demandQuestion')
      .values({ ...input, companyId, accountId: actor.accountId, askTime: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    const params = { title: head.title, code: head.demandCode ?? '', content: input.content.slice(0, 100) }
    await tellOwner({ db: tx, hub, now }, { deptId: head.deptId, demandId: input.demandId, kind: 'questionAsked', params })
    return question
  })
}

export async function answerQuestion(db: Db, hub: Hub, actor: Actor, id: number, answer: string, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const question = await tx
      .selectFrom('demandQuestion')
      .innerJoin('demand', 'demand.id', 'demandQuestion.demandId')
      .where('demandQuestion.id', '=', id)
      .where(inScope('demand.dept_id', actor))
      .select(['demandId', 'demandQuestion.companyId', 'demand.status', 'demand.title', 'demand.demandCode', 'content'])
      .executeTakeFirst()
    if (!question) throw new Refusal('not_found')
    if (question.status !== '3') throw new Refusal('clarify_over')
    await tx.updateTable('demandQuestion').set({ answer, answerAccountId: actor.accountId, answerTime: now }).where('id', '=', id).execute()
    const params = { title: question.title, code: question.demandCode ?? '', content: answer.slice(0, 100) }
    await tellQuoters({ db: tx, hub, now }, { demandId: question.demandId, kind: 'questionAnswered', params })
    const quoted = await tx
      .selectFrom('quote')
      .where('demandId', '=', question.demandId)
      .where('companyId', '=', question.companyId)
      .where('status', 'in', ['1', '3'])
      .select('id')
      .executeTakeFirst()
    if (quoted) return
    await sendMessages(
      { db: tx, hub, now },
      {
        to: { companies: [question.companyId] },
        kind: 'questionAnswered',
        params,
        bizType: 'demand',
        bizId: question.demandId,
        link: `/workbench/crequirement/detail?id=${question.demandId}`,
      },
    )
  })
}
