import { sql } from 'kysely'
import { dayMs, minuteMs, toMoment } from '#shared/calendar.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { paths } from '#shared/paths.ts'
import { maxCorrections, maxQuestions, mayAsk } from '#shared/question/rules.ts'
import { changeableQuotes } from '#shared/quote/rules.ts'
import { countAttempt } from '../account/attempts.ts'
import type { Actor } from '../actor/actor.ts'
import { companyOf, inScope } from '../actor/scope.ts'
import type { Read, Tx } from '../db/connect.ts'
import type { Deed } from '../deed.ts'
import { notifyOwner, notifyBidders } from '../demand/events.ts'
import { notifyInvited } from '../demand/invites.ts'
import { alive } from '../demand/queries.ts'
import { actsAsLessor, isOpenTo, isReadableBy, lessorOf } from '../demand/scope.ts'
import { Refusal } from '../http/refusal.ts'
import { sendMessages } from '../message/queries.ts'
import { getDemandHead } from '../quote/market.ts'

/** The questions for everybody who may see the demand: the public, the invited, those who quoted it, its owner and the units above. */
export async function listQuestions(db: Read, demandId: number, actor: Actor | null) {
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
  const isOwn = actor ? inScope('demand.dept_id', actor) : sql<boolean>`false`
  const demand = await alive(db)
    .where('demand.id', '=', demandId)
    .where('demand.status', '<>', sql.lit(demandStatus.draft))
    .where(sql<boolean>`(${isReadableBy(lessorOf(actor))} or ${isOwn})`)
    .select('demand.id')
    .executeTakeFirst()
  return demand !== undefined
}

/** The begin of a text for a message; a longer one is cut, which an ellipsis shows. */
const excerpt = (content: string) => (content.length > 100 ? `${content.slice(0, 100)}…` : content)

export async function askQuestion(deed: Deed, input: { demandId: number; content: string }) {
  const { db, actor, now } = deed
  const companyId = companyOf(actor)
  const head = await getDemandHead(db, { id: input.demandId, companyId, now })
  if (!mayAsk(head, toMoment(now))) throw new Refusal('clarify_over')
  await refuseTooMany(db, { demandId: input.demandId, companyId })
  const question = await db
    .insertInto('demandQuestion')
    .values({ ...input, companyId, accountId: actor.accountId, askTime: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const params = { title: head.title, code: head.demandCode ?? '', content: excerpt(input.content) }
  await notifyOwner(deed, { deptId: head.deptId, demandId: input.demandId, kind: 'questionAsked', params })
  return question
}

/** Questions of one lessor about one demand wait for each other, so that they are counted exactly. */
async function refuseTooMany(db: Tx, { demandId, companyId }: { demandId: number; companyId: number }): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`question:${demandId}:${companyId}`}, 0))`.execute(db)
  const { asked } = await db
    .selectFrom('demandQuestion')
    .where('demandId', '=', demandId)
    .where('companyId', '=', companyId)
    .select((eb) => eb.fn.countAll<number>().as('asked'))
    .executeTakeFirstOrThrow()
  if (asked >= maxQuestions) throw new Refusal('question_limit')
}

type Answer = { id: number; answer: string; before?: string | undefined }

/**
 * Answers for everybody, if nobody else did since the answer `before` was read. The lessors who quoted or are invited hear of it, and the one who
 * asked, who need not have quoted. The demand is locked, so that nobody quotes or withdraws a quote between these lists.
 */
export async function answerQuestion(deed: Deed, { id, answer, before }: Answer): Promise<void> {
  const { db, actor, now } = deed
  const question = await db
    .selectFrom('demandQuestion')
    .innerJoin('demand', 'demand.id', 'demandQuestion.demandId')
    .where('demandQuestion.id', '=', id)
    .where(inScope('demand.dept_id', actor))
    .select(['demandId', 'demandQuestion.companyId', 'demandQuestion.answer', 'demand.status', 'demand.title', 'demand.demandCode'])
    .forUpdate('demandQuestion')
    .forNoKeyUpdate('demand')
    .executeTakeFirst()
  if (!question) throw new Refusal('not_found')
  if (question.status !== demandStatus.quoting) throw new Refusal('clarify_over')
  // A call that had no answer is sent again.
  if (answer === question.answer) return
  if (before !== undefined && before !== question.answer) throw new Refusal('changed')
  if (question.answer !== '') await countCorrection(deed, question.demandId)
  await db.updateTable('demandQuestion').set({ answer, answerAccountId: actor.accountId, answerTime: now }).where('id', '=', id).execute()
  const { demandId, companyId } = question
  const params = { title: question.title, code: question.demandCode ?? '', content: excerpt(answer) }
  const news = { demandId, kind: 'questionAnswered', params } as const
  await notifyBidders(deed, news)
  await notifyInvited(deed, news, [companyId])
  const quote = await db
    .selectFrom('quote')
    .where('demandId', '=', demandId)
    .where('companyId', '=', companyId)
    .where('status', 'in', changeableQuotes)
    .select('id')
    .executeTakeFirst()
  if (quote) return
  // Whoever has left the list of the invited since they asked, or is no lessor any more, cannot read the answer.
  const reader = await db
    .selectFrom('demand')
    .innerJoin('company', (join) => join.on('company.id', '=', companyId))
    .where('demand.id', '=', demandId)
    .where(sql<boolean>`(${isOpenTo(null)} or (${isOpenTo(companyId)} and ${actsAsLessor}))`)
    .select('company.id')
    .executeTakeFirst()
  if (!reader) return
  await sendMessages(deed, {
    to: { companies: [companyId] },
    kind: 'questionAnswered',
    params,
    bizType: 'demand',
    bizId: demandId,
    link: paths.marketDemand(demandId),
    // As for the others: who is missing in the outbox would be known to have quoted.
    biddersOf: demandId,
  })
}

/** Everybody who has quoted or is invited is told of a corrected answer, so there is a bound for those of one demand. */
async function countCorrection(deed: Deed, demandId: number): Promise<void> {
  const counter = { scope: 'corrected answers', place: String(demandId), limit: maxCorrections, minutes: dayMs / minuteMs }
  if (!(await countAttempt(deed, counter)).isAllowed) throw new Refusal('answer_limit')
}
