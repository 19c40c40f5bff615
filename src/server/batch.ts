import type { RefusalCode } from '#shared/refusals.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Actor } from './actor/actor.ts'
import { transact, type Context, type Deed } from './deed.ts'
import { Refusal } from './http/refusal.ts'

export type Batch = { done: number; left: { id: number; code: RefusalCode }[] }

/** Runs `act` for each item in a transaction of its own, so an item that is refused does not stop the others. Answers which ones were, and why. */
export async function forEachApart<Item extends { id: number }>(
  context: Context,
  items: readonly Item[],
  act: (deed: Deed & Pick<Context, 'locale'>, item: Item) => Promise<unknown>,
): Promise<Batch> {
  const { now } = context
  const actor: Actor = context.actor
  const left: Batch['left'] = []
  for (const item of items)
    try {
      await transact(context, { actor, now }, (deed) => act(deed, item))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      left.push({ id: item.id, code: error.code })
    }
  return { done: items.length - left.length, left }
}

/** The items of a batch of ids; an id that is named twice is one item. */
export const itemsOf = (ids: readonly number[]) => [...new Set(ids)].map((id) => ({ id }))

/** The answer of a batch, with each refusal in words. */
export const batchAnswer = ({ done, left }: Batch, text: Text) => ({
  done,
  left: left.map(({ id, code }) => ({ id, msg: text.refusal[code] })),
})
