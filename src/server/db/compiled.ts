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
    const given = Object.keys(all).filter((name) => all[name] !== undefined)
    const key = JSON.stringify([shape, given])
    let query = known.get(key)
    if (!query) {
      query = build(db, shape, Object.fromEntries(given.map((name) => [name, new Slot(name)])) as Values).compile()
      // Shapes are few; whatever makes them many is not worth keeping.
      if (known.size < 300) known.set(key, query)
    }
    const parameters = query.parameters.map((value) => (value instanceof Slot ? all[value.name] : value))
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}
