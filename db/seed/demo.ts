import { sql } from 'kysely'
import { shelfStatus } from '#shared/equipment/rules.ts'
import { yesNo } from '#shared/rules.ts'
import { flushOutbox } from '#server/outbox/queries.ts'
import type { Services } from '#server/services.ts'
import { seedArticles } from './articles.ts'
import { seedCertifications } from './certifications.ts'
import { planConsole } from './console.ts'
import { planDeals } from './deals.ts'
import { seedFleet } from './fleet.ts'
import { planIdle } from './idle.ts'
import { seedPapers, seedPhotos } from './machine-files.ts'
import { seedPeople } from './people.ts'
import { Dice } from './random.ts'
import { planRestrictions } from './restrictions.ts'
import { Timeline } from './timeline.ts'
import { planLetters, seedTraces } from './traces.ts'
import { planFeedback, seedFavourites } from './voices.ts'
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
  if (found?.state === 'whole') await confirmAnew(services)
  if (found?.state === 'whole' || (found?.people && found.state !== 'making')) return false
  // An earlier start ended halfway. All rows it left belong to the demo, so they are deleted and made again.
  if (found?.state === 'making')
    await sql`truncate contract, contract_version, contract_change, contract_event, contract_person, contract_file, contract_notice, award_lapse, certification, feedback, outbox, cancellation, sign_in, blacklist, internal_machine, internal_transfer, price_ceiling, contact, audit_log, broadcast, equipment_import, award_request, account, company, dept, equipment, demand, quote, award, message, article, file, code_counter, equipment_booking cascade`.execute(
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
  const machines = await seedFleet(services, people.lessors, dice, now)
  // Pictures are drawn while the rest of the market is made.
  const files = Promise.all([seedPhotos(services, machines, people.lessors), seedPapers(services, machines)])
  await db.executeQuery(
    sql`update company c set main_categories = coalesce((select array_agg(category_id) from (
    select category_id from equipment e where e.company_id = c.id group by category_id order by count(*) desc, category_id limit 4) m), '{}') where c.is_lessor`.compile(
      db,
    ),
  )
  await sql`analyze`.execute(db)
  const timeline = new Timeline()
  await planDeals(services, people, { dice, now, timeline, machines })
  await planRestrictions(services, people, { now, timeline })
  planIdle(services, people, { now, timeline })
  await planFeedback(services, { now, timeline })
  await planConsole(services, { now, timeline })
  planLetters(services, { now, timeline })
  timeline.add(new Date(now.getTime() - 7 * 3_600_000), () => seedArticles(services, dice, now))
  await timeline.play(services.writeLine)
  await files
  await seedCertifications(services)
  await seedFavourites(services)
  await seedWorkbench(services)
  await seedTraces(services, machines, dice)
  // Notices of the past have left. Otherwise each start would send them, and print them below the names to sign in with.
  await flushOutbox({ ...services, writeLine: () => undefined })
  // Messages older than four days have been read.
  await sql`update message set is_read = ${yesNo.yes}, read_time = create_time + interval '3 hours' where create_time < ${new Date(now.getTime() - 4 * 86_400_000)}`.execute(
    db,
  )
  await sql`analyze`.execute(db)
  await mark('whole')
  return true
}

/** Nobody works in a demo that rested: its lessors confirm their machines at the start, or the shelf would be empty after a month. */
async function confirmAnew({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  const late = new Date(now.getTime() - 20 * 86_400_000)
  await sql`update equipment set confirmed_at = ${now}::timestamptz - (id % 7) * interval '1 day'
    where shelf_status = ${shelfStatus.on} and confirmed_at < ${late}`.execute(db)
}
