// What the rows of the bench share: the two large markets and the servers over them, each made when the first row asks for it.
import pg from 'pg'
import { largeDatabase, startBench } from './large.ts'
import { startProgram, startServer, type Running } from './product.ts'

/** A large market. */
export type Place = {
  url: () => Promise<string>
  query: <T extends object>(text: string, values?: unknown[]) => Promise<T[]>
}

type Servers = {
  /** The bare server over the large market. */
  bare: () => Promise<Running>
  /** The same over the small one. */
  smallBare: () => Promise<Running>
  /** The product as in production, but that it keeps no answers. */
  plain: () => Promise<Running>
  product: () => Promise<Running>
  /** As `plain`, over the small market. */
  small: () => Promise<Running>
}

export type Market = {
  large: Place
  small: Place
  servers: Servers
  folder: () => Promise<string>
  /** Starts a program that is stopped with the others. */
  start: (running: Promise<Running>) => Promise<Running>
  stop: () => Promise<void>
}

/** What a row is measured with. `seconds`: how long each rate is. */
export type Bench = Market & {
  /** Whether the row is to be measured. */
  asked: (name: string) => boolean
  put: (question: string, seen: string, bar: string, held: boolean) => void
  machines: number
  fewer: number
  seconds: number
}

/** Makes nothing yet. `machines`: of the large market; the small one has a tenth. */
export function openMarket(machines: number, ready: string): Market {
  const bench = once(startBench)
  const started: Running[] = []
  const start = async (running: Promise<Running>) => {
    const one = await running
    started.push(one)
    return one
  }
  const placeOf = (size: number): Place => {
    const url = once(async () => largeDatabase((await bench()).embedded, size))
    return { url, query: async (text, values) => ask(await url(), text, values) }
  }
  const [large, small] = [placeOf(machines), placeOf(machines / 10)]
  const folder = async () => (await bench()).folder
  const bareOver = (place: Place) =>
    once(async () => start(startProgram('test/load/bare.ts', { DATABASE_URL: await place.url(), PGUSER: '' }, ready)))
  const server = (place: Place, more: Record<string, string>) =>
    once(async () => start(startServer(await place.url(), `${await folder()}/files`, more)))
  return {
    large,
    small,
    folder,
    start,
    servers: {
      bare: bareOver(large),
      smallBare: bareOver(small),
      plain: server(large, { CACHE_MS: '0' }),
      product: server(large, {}),
      small: server(small, { CACHE_MS: '0' }),
    },
    stop: async () => {
      await Promise.all(started.map((one) => one.stop()))
      if (bench.isMade()) await (await bench()).embedded.stop()
    },
  }
}

/** The function's value, made at the first call and kept. */
function once<T>(make: () => Promise<T>): (() => Promise<T>) & { isMade: () => boolean } {
  let made: Promise<T> | undefined
  return Object.assign(() => (made ??= make()), { isMade: () => made !== undefined })
}

async function ask<T extends object>(url: string, text: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<T>(text, values)).rows
  } finally {
    await client.end()
  }
}
