import pg from 'pg'
import { recordingDatabase, Stopwatch } from './load/database-time.ts'
import { fillMachines } from './load/large.ts'
import { openWorld } from './world.ts'

/** The world with so many machines on the shelf that its plans are those of a market, whose statements are noted and explained. */
export async function openPlanWorld(machines: number) {
  const world = await openWorld()
  const { db, pool, sent } = recordingDatabase(world.url)
  const stopwatch = await Stopwatch.open(world.url)
  const client = new pg.Client(world.url)
  await client.connect()
  await client.query('alter table equipment disable trigger equipment_words')
  await fillMachines(client, machines)
  await client.query('vacuum (analyze)')
  await client.end()
  const close = async () => {
    await stopwatch.close()
    await pool.end()
    await world.close()
  }
  return { world, db, sent, stopwatch, close }
}
