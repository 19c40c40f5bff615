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

/** Machines whose month price comes from a price that has ended. Another one that has not ended may give them one. */
const endedMonthPrices: Queue<{ key: string; id: number }> = {
  job: 'equipmentPapers',
  async find(db, now, ready) {
    const today = dayOf(now)
    const { rows } = await sql<PricedMachine & { key: string; id: number }>`
      select 'price:' || equipment.id as key, equipment.id, equipment.month_price_fen as "monthPriceFen", ${pricesOfMachine} as prices
      from (select distinct equipment_id from equipment_price where valid_to < ${today}::date) ended
      join equipment on equipment.id = ended.equipment_id
      where equipment.month_price_fen is not null and ${ready(sql`'price:' || equipment.id`)}`.execute(db)
    return rows.filter((machine) => machine.monthPriceFen !== monthPriceOn(machine, today)).slice(0, 1000)
  },
  async run({ db, now }, { id }) {
    // Whoever saves the machine holds its row while they replace its prices.
    await db.selectFrom('equipment').where('id', '=', id).forNoKeyUpdate().select('id').execute()
    const machine = await db
      .selectFrom('equipment')
      .where('id', '=', id)
      .select(['monthPriceFen', pricesOfMachine.as('prices')])
      .executeTakeFirst()
    const monthPriceFen = machine ? monthPriceOn(machine, dayOf(now)) : null
    if (!machine || machine.monthPriceFen === monthPriceFen) return false
    await db.updateTable('equipment').set({ monthPriceFen }).where('id', '=', id).execute()
    return true
  },
}

/** Computes the month price anew of machines whose price has ended, so that they are found and sorted by none that has. Answers how many. */
export const endMonthPrices = (services: Services, signal?: AbortSignal) => workThrough(services, endedMonthPrices, signal)
