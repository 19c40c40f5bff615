import { lapseDays } from '#shared/contract/rules.ts'
import { giveUpHours, quoteStatus } from '#shared/quote/rules.ts'
import type { Actor } from '#server/actor/actor.ts'
import type { Services } from '#server/services.ts'
import { planInForce, type Plan } from './amendments.ts'
import { accept, confirm, draft, giveUp, lapse, send, sendBack, type Hire } from './contract-moves.ts'
import type { Picture } from './pictures.ts'
import { Dice } from './random.ts'
import { planStage, type Stage } from './scenes.ts'
import type { Timeline } from './timeline.ts'

/** Awards from before the platform had contracts have none and never lapse. */
const contractsSinceDays = 300
const hour = 3_600_000
const day = 24 * hour

type Won = { quoteId: number; companyId: number }
type Awarded = {
  services: Services
  timeline: Timeline
  now: Date
  demandId: number
  at: Date
  buyer: Actor
  sellerOf: (companyId: number) => Actor | undefined
  paper: Picture
  /** How far the contract of one of the demo's people has come. */
  stage: Stage | undefined
}

/** Plans what follows an award, by the calls that people use: accepted, drafted, sent, returned, confirmed; two in twenty lapse. */
export async function planContracts(awarded: Awarded): Promise<void> {
  const { services, now, demandId, at } = awarded
  if (now.getTime() - at.getTime() > contractsSinceDays * day) {
    await services.db.updateTable('award').set({ contractDue: null }).where('demandId', '=', demandId).execute()
    return
  }
  const won: Won[] = await services.db
    .selectFrom('quote')
    .where('demandId', '=', demandId)
    .where('status', '=', quoteStatus.won)
    .orderBy('id')
    .select(['id as quoteId', 'companyId'])
    .execute()
  for (const one of won) planContract(awarded, one)
}

function planContract(awarded: Awarded, { quoteId, companyId }: Won): void {
  const { services, timeline, now, demandId, at, buyer, sellerOf, paper, stage } = awarded
  const seller = sellerOf(companyId)
  if (!seller) return
  const dice = new Dice(demandId * 1000 + companyId)
  const hire: Hire = { services, demandId, quoteId, companyId, buyer, seller, dice, paper }
  const plan: Plan = (when, run) => {
    if (when < now)
      timeline.add(when, async (time) => {
        await run(time)
      })
  }
  if (stage) planStage(hire, plan, { stage, now })
  else planFate(hire, plan, at)
}

/** What becomes of an award, by the dice. */
function planFate(hire: Hire, plan: Plan, at: Date): void {
  const { dice } = hire
  const after = (from: Date, hours: number) => new Date(from.getTime() + hours * hour)
  const accepts = dice.next() < 0.75
  const drafted = after(at, accepts ? dice.between(2, 40) : giveUpHours + 1)
  plan(drafted, (time) => (accepts ? accept(hire, time) : draft(hire, time)))
  const fate = dice.next()
  if (fate < 0.05) {
    plan(after(at, lapseDays.unsent * 24), (time) => lapse(hire, time, 'lessee'))
    return
  }
  const sent = after(drafted, dice.between(3, 60))
  if (fate >= 0.96) {
    plan(sent, (time) => giveUp(hire, time))
    return
  }
  plan(sent, (time) => send(hire, time))
  if (fate < 0.09) {
    plan(after(sent, lapseDays.unanswered * 24), (time) => lapse(hire, time, 'lessor'))
    return
  }
  let last = sent
  if (fate < 0.25) {
    const returned = after(sent, dice.between(3, 30))
    plan(returned, (time) => sendBack(hire, time))
    last = after(returned, dice.between(4, 30))
    plan(last, (time) => send(hire, time))
  }
  plan(after(last, dice.between(2, 48)), async (time) => planInForce(hire, plan, { ...(await confirm(hire, time)), at: time }))
}
