// The statistics page on 200,000 demands of one organisation: each question ten times.
//   npm run bench:statistics         COUNT=200000 by default
import { sql } from 'kysely'
import { seedReference } from '#db/seed/reference.ts'
import type { Actor } from '#server/actor/actor.ts'
import { connect } from '#server/db/connect.ts'
import { findFigures, findGroups, listRows } from '#server/statistics/report.ts'
import { reportGroups } from '#shared/statistics/report.ts'
import { withTemplate } from '#test/template-db.ts'

const count = Number(process.env.COUNT ?? 200_000)
const writeLine = (line: string) => void process.stdout.write(`${line}\n`)

await withTemplate(async (url) => {
  const { db } = connect(url, 4)
  await seedReference(db)
  // One organisation with ten units and forty projects each; every second demand awarded, three quotes for each.
  await sql`
    insert into company (enterprise_name, credit_code, is_lessor, lessor_audit)
      select 'Bench company ' || n, '91110108DEM' || lpad(n::text, 6, '0') || 'X', n > 1, '2' from generate_series(1, 40) n`.execute(db)
  await sql`
    with root as (insert into dept (dept_name, dept_type, company_id) select 'Group', '1', min(id) from company returning id, company_id),
    unit as (insert into dept (dept_name, dept_type, company_id, parent_id, ancestors)
      select 'Unit ' || n, '2', r.company_id, r.id, array[r.id] from root r, generate_series(1, 10) n returning id, company_id, parent_id)
    insert into dept (dept_name, dept_type, company_id, parent_id, ancestors, project_name, project_type)
      select 'Project ' || u.id || '-' || n, '3', u.company_id, u.id, array[u.parent_id, u.id], 'Project ' || n, 'highway'
      from unit u, generate_series(1, 40) n`.execute(db)
  await sql`insert into account (user_name, password_hash) values ('bench', 'none')`.execute(db)
  await sql`
    insert into demand (demand_code, title, company_id, dept_id, account_id, project_name, province_id, city_id, quote_deadline, status,
        plan_start, plan_end, quote_count, publish_time, open_time)
      select 'XQ' || n, 'Demand ' || n, (select min(id) from company), p.ids[1 + n % 400], a.id, 'Project',
        r.codes[1 + n % 31], null, t.at + interval '3 days', (array['5', '4', '6', '7', '8', '9'])[1 + n % 6], '2026-01-01', '2026-04-01', 3, t.at, t.at + interval '3 days'
      from generate_series(1, ${count}::int) n, (select array_agg(id) as ids from dept where dept_type = '3') p,
        (select id from account) a, (select array_agg(code) as codes from region where level = 1) r,
        lateral (select timestamptz '2025-01-01' + n * interval '3 minutes' as at) t`.execute(db)
  await sql`
    insert into demand_item (demand_id, line_no, father_category_id, category_id, qty, plan_start, plan_end, rent_unit, price_ceiling_fen)
      select d.id, l, c.parent_id, c.id, 2, '2026-01-01', '2026-04-01', 'M', 2000000
      from demand d, generate_series(1, 2) l, lateral (select id, parent_id from category where level = 2 order by id offset (d.id % 80) limit 1) c`.execute(
    db,
  )
  await sql`
    insert into quote (quote_code, demand_id, demand_revision, company_id, account_id, contact_name, contact_phone, valid_until, status, sealed_offer,
        seal_hash, submit_time, open_time)
      select 'BJ' || d.id || '-' || k, d.id, 1, (select min(id) from company) + 1 + ((d.id * 7 + k) % 39), (select id from account), 'x', 'x', '2026-12-31',
        case when k = 1 and d.status in ('5', '6', '9') then '6' else '8' end, '', '', d.publish_time, d.open_time
      from demand d, generate_series(1, 3) k`.execute(db)
  await sql`
    insert into quote_line (quote_id, demand_item_id, qty, unit_price_fen, rent_unit, includes_operator, includes_fuel, tax_rate, invoice_kind, earliest_entry)
      select q.id, i.id, 2, 1600000 + q.id % 500000, 'M', true, false, 9, 'special', '2026-01-01' from quote q join demand_item i on i.demand_id = q.demand_id`.execute(
    db,
  )
  await sql`insert into award (demand_id, account_id, at, net_fen) select id, account_id, open_time + interval '2 days', 9600000 from demand where status in ('5', '6', '9')`.execute(
    db,
  )
  await sql`
    insert into award_line (award_id, demand_item_id, quote_line_id, company_id, qty, net_fen, mean_net_fen)
      select w.id, l.demand_item_id, l.id, q.company_id, 2, 4800000, 5000000
      from award w join quote q on q.demand_id = w.demand_id and q.status = '6' join quote_line l on l.quote_id = q.id`.execute(db)
  await sql`vacuum analyze`.execute(db)
  const { rows } = await sql<{ id: number; companyId: number; demands: number; quotes: number }>`
    select d.id, d.company_id as "companyId", (select count(*)::int from demand) as demands, (select count(*)::int from quote) as quotes
    from dept d where d.dept_type = '1'`.execute(db)
  const [root] = rows
  if (!root) throw new Error('the organisation is missing')
  const actor: Actor = {
    accountId: 1,
    userName: 'bench',
    userType: '2',
    role: 'leaseholder',
    contractRole: 'leaseholder',
    permissions: ['statistics:view'],
    companyId: root.companyId,
    deptId: root.id,
    isAdmin: true,
    setup: null,
    address: '',
  }
  writeLine(`${root.demands} demands, ${root.quotes} quotes, whole organisation`)
  for (const [period, from, to] of [
    ['all years', '2025-01-01', '2027-12-31'],
    ['12 months', '2025-01-01', '2025-12-31'],
    ['a quarter', '2025-04-01', '2025-06-30'],
  ] as const) {
    const asked = { from, to }
    const questions: [string, () => Promise<unknown>][] = [
      ['figures', () => findFigures(db, actor, asked)],
      ...reportGroups.map((by): [string, () => Promise<unknown>] => [`by ${by}`, () => findGroups(db, actor, asked, by)]),
      ['rows', () => listRows(db, actor, { ...asked, figure: 'demands', pageNum: 1, pageSize: 10 })],
    ]
    for (const [name, ask] of questions) {
      const times: number[] = []
      for (let round = 0; round < 10; round++) {
        const start = performance.now()
        await ask()
        times.push(performance.now() - start)
      }
      times.sort((a, b) => a - b)
      writeLine(
        `${period}  ${name.padEnd(12)} median ${times[5]?.toFixed(0).padStart(5)} ms   worst ${times[9]?.toFixed(0).padStart(5)} ms`,
      )
    }
  }
  await db.destroy()
})
