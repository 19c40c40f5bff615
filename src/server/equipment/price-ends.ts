import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import { normalisedPriceFen, pricesOn, type RentUnit } from '#shared/equipment/rules.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'

type ComparedPrice = { rentUnit: RentUnit; priceFen: number | null; shiftMode: string; validTo: string | null }
type PricedMachine = { monthPriceFen: number | null; prices: ComparedPrice[] }

const pricesOfMachine = sql<
  ComparedPrice[]
>`(select json_agg(json_build_object('rentUnit', rent_unit, 'priceFen', price_fen, 'shiftMode', shift_mode,
  'validTo', valid_to)) from equipment_price p where p.equipment_id = equipment.id)`

const monthPriceOn = ({ prices }: PricedMachine, day: string) => normalisedPriceFen(pricesOn(prices, day))

/** Machines with a price that has ended since they were priced. Another one that has not ended may give them a month price. */
const endedMonthPrices: Queue<{ key: string; id: number }> = {
  job: 'equipmentPapers',
  batch: 1000,
  async find(db, now, ready) {
    const { rows } = await sql<{ key: string; id: number }>`
      select distinct 'price:' || equipment_id as key, equipment_id as id from equipment_price
      where valid_to < ${dayOf(now)}::date and not ended and ${ready(sql`'price:' || equipment_id`)}
      limit 1000`.execute(db)
    return rows
  },
  async run({ db, now }, { id }) {
    const today = dayOf(now)
    // Whoever saves the machine holds its row while they replace its prices.
    await db.selectFrom('equipment').where('id', '=', id).forNoKeyUpdate().select('id').execute()
    const machine = await db
      .selectFrom('equipment')
      .where('id', '=', id)
      .select(['monthPriceFen', pricesOfMachine.as('prices')])
      .executeTakeFirst()
    await db.updateTable('equipmentPrice').set({ ended: true }).where('equipmentId', '=', id).where('validTo', '<', today).execute()
    const monthPriceFen = machine ? monthPriceOn(machine, today) : null
    if (!machine || machine.monthPriceFen === monthPriceFen) return false
    await db.updateTable('equipment').set({ monthPriceFen }).where('id', '=', id).execute()
    return true
  },
}

/** Computes the month price anew of machines whose price has ended, so that they are found and sorted by none that has. Answers how many. */
export const endMonthPrices = (services: Services, signal?: AbortSignal) => workThrough(services, endedMonthPrices, signal)
