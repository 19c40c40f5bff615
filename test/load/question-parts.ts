// What the lists of the bench are drawn from: the filters that a page offers, and who asks.
import type { z } from 'zod'
import type { Dice } from '#db/seed/random.ts'
import type { Actor } from '#server/actor/actor.ts'
import type { Db } from '#server/db/connect.ts'

export type Query = Record<string, string>
/** How the filters are drawn: as people ask, few at a time and mostly the first page, or each as often as any other. */
export type Weights = 'weighted' | 'even'
export type Question = { list: string; query: Query }

export type Category = { id: number; parentId: number; name: string; alias: string[]; keys: string[] }
export type Region = { code: number; parentCode: number; level: number; name: string }
/** What the pages offer to choose from. */
export type Offers = {
  now: Date
  categories: Category[]
  regions: Region[]
  brands: string[]
  models: string[]
  names: string[]
  lessors: number[]
  demands: number[]
  /** The departments of the group that asks. */
  depts: number[]
}

/** What is typed into the search of a private list: a part of the name of a company, of a category or of a demand. */
export const typed = (dice: Dice, offers: Offers): string =>
  dice.pick([
    dice.pick(offers.names).slice(1, 3),
    dice.pick(offers.names).slice(2, 5),
    dice.pick(offers.categories).name.slice(-2),
    '需求 7',
    '144',
  ])

/** A person asks for a filter with the first chance; drawn evenly, it is there or not. */
export const asks = (dice: Dice, weights: Weights, chance: number) => dice.next() < (weights === 'even' ? 0.4 : chance)

export function page(dice: Dice, weights: Weights): Query {
  if (!asks(dice, weights, 0.1)) return {}
  return { pageNum: dice.next() < 0.5 ? '2' : '50' }
}

export type People = Record<'group' | 'project' | 'lessor' | 'operator', Actor>
type Asked = { db: Db; now: Date; people: People }
export type Drawn = (dice: Dice, offers: Offers, weights: Weights) => Query
/** `who` asks it; the list of an address that is public is a visitor's. `table`: the one that its rows stand in. */
export type List = { url: string; table: string; who: Who; draw: Drawn; ask: (asked: Asked, query: Query) => Promise<unknown> }
export type Who = 'visitor' | keyof People

export const direction = (dice: Dice, names: readonly string[]) => (dice.next() < 0.5 ? '' : '-') + dice.pick(names)
export const parse = <S extends z.ZodType>(schema: S, query: Query): z.output<S> => schema.parse(query)
