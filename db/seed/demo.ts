import { sql } from 'kysely'
import type { Services } from '#server/services.ts'
import { seedArticles } from './articles.ts'
import { seedCertifications } from './certifications.ts'
import { seedConsole } from './console.ts'
import { seedDeals } from './deals.ts'
import { seedFleet } from './fleet.ts'
import { seedPeople } from './people.ts'
import { Dice } from './random.ts'
import { seedVoices } from './voices.ts'
import { seedWorkbench } from './workbench.ts'

/** Fills an empty database once with a small, plausible market relative to today. Returns whether it did. */
export async function seedDemo(services: Services): Promise<boolean> {
  const { db } = services
  const { rows } = await sql<{
    state: string | null
    people: boolean
  }>`select (select value ->> 'state' from setting where key = 'demo') as state,
    exists (select 1 from account) as people`.execute(db)
  const [found] = rows
  if (found?.state === 'whole' || (found?.people && found.state !== 'making')) return false
  // An earlier start ended halfway. All rows it left belong to the demo, so they are deleted and made again.
  if (found?.state === 'making')
    await sql`truncate certification, feedback, blacklist, internal_machine, internal_transfer, price_ceiling, contact, audit_log, broadcast, equipment_import, award_request, account, company, dept, equipment, demand, quote, award, message, article, file, code_counter, equipment_booking cascade`.execute(
      db,
    )
  const now = services.clock.now()
  const mark = (state: 'making' | 'whole') => {
    const value = JSON.stringify({ state, at: now.toISOString() })
    return db
      .insertInto('setting')
      .values({ key: 'demo', value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
  }
  await mark('making')
  const dice = new Dice(20_261)
  const people = await seedPeople(db, dice, now)
  await seedFleet(services, people.lessors, dice, now)
  await db.executeQuery(
    sql`update company c set main_categories = coalesce((select array_agg(category_id) from (
    select category_id from equipment e where e.company_id = c.id group by category_id order by count(*) desc, category_id limit 4) m), '{}') where c.is_lessor`.compile(
      db,
    ),
  )
  await sql`analyze`.execute(db)
  await seedDeals(services, people, dice, now)
  await seedArticles(db, dice, now)
  await seedCertifications(services)
  await seedVoices(services)
  await seedWorkbench(services)
  await seedConsole(services)
  // Messages older than two weeks have been read.
  await sql`update message set is_read = '1', read_time = create_time + interval '3 hours' where create_time < ${new Date(now.getTime() - 4 * 86_400_000)}`.execute(
    db,
  )
  await sql`analyze`.execute(db)
  await mark('whole')
  return true
}
