import type { CompiledQuery } from 'kysely'
import type { Read } from './connect.ts'

/** Stands in a query for a value that comes later. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query whose text depends only on its shape and on which values are given: built and compiled once for each of these, then only
 * filled. Building a query of some size costs as much as all else that a request costs this process.
 * `build` uses the values as values; where one decides what the text is, it belongs into the shape.
 */
export function compiledOnce<Shape extends object, Values extends object, Row>(
  build: (db: Read, shape: Shape, values: Values) => { compile(): CompiledQuery<Row> },
) {
  const known = new Map<string, CompiledQuery<Row>>()
  return async (db: Read, shape: Shape, values: Values): Promise<Row[]> => {
    const all = values as Record<string, unknown>
    let key = JSON.stringify(shape)
    for (const name in all) if (all[name] !== undefined) key += ` ${name}`
    let query = known.get(key)
    if (!query) {
      const slots = Object.keys(all).flatMap((name) => (all[name] === undefined ? [] : [[name, new Slot(name)]]))
      query = build(db, shape, Object.fromEntries(slots) as Values).compile()
      // Shapes are few; whatever makes them many is not worth keeping.
      if (known.size < 300) known.set(key, query)
    }
    const parameters = query.parameters.map((value) => (value instanceof Slot ? all[value.name] : value))
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}
