import type { CompiledQuery } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Read } from '../connect.ts'
import { CompilingDb } from './driver.ts'

/** Stands for a value while a statement is built. It may only become a parameter: computing with it or comparing it throws. */
class Slot {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
  [Symbol.toPrimitive](): never {
    throw new TypeError('this value decides what the text of the statement is: name it in `inText`')
  }
}

const mark = '\u0000'
const isText = (value: unknown) => typeof value === 'string' && value !== ''
/** An empty text and an empty list usually mean that nothing is asked: they belong to the shape. */
const isValue = (value: unknown): boolean =>
  typeof value === 'number' || isText(value) || (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one !== 'object'))

/**
 * A query that is built once for each shape of its input and then only filled with values. The shape is which fields are there, and the
 * fields named in `inText` with what they hold; every other number, text and list of these, at any depth, is a value.
 */
export function compiledOnce<Input extends object, Row>(
  build: (db: Read, input: Input) => { compile(): CompiledQuery<Row>; execute(): Promise<Row[]> },
  ...inText: (keyof Input & string)[]
) {
  const fieldsInText: readonly string[] = inText
  const built = new LRUCache<string, CompiledQuery<Row>>({ max: 300 })
  return async (db: Read, input: Input): Promise<Row[]> => {
    if (!(db instanceof CompilingDb)) return build(db, input).execute()
    const values: unknown[] = []
    const shape = JSON.stringify(input, (name, value: unknown) =>
      !isValue(value) || fieldsInText.includes(name) ? value : `${mark}${values.push(value) - 1}`,
    )
    let query = built.get(shape)
    if (!query) {
      const slotted = JSON.parse(shape, (_, value: unknown) =>
        typeof value === 'string' && value.startsWith(mark) ? new Slot(Number(value.slice(1))) : value,
      ) as Input
      query = build(db, slotted).compile()
      built.set(shape, query)
    }
    const parameters = query.parameters.map((value) => (value instanceof Slot ? values[value.index] : value))
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}
