// The large market of the benches: machines, companies, demands and messages in the numbers of a whole country, beside
// the demo in a data folder of its own (BENCH_DIR, kept between runs).
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import pg from 'pg'
import { seedReference } from '#db/seed/reference.ts'
import { connect } from '#server/db/connect.ts'
import { startEmbedded, type Embedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { defaultClauses } from '#shared/contract/clauses.ts'
import { messageKinds } from '#shared/message/kinds.ts'

export type Sizes = { companies: number; machines: number; demands: number; messages: number }

export const sizesOf = (machines: number): Sizes => ({
  companies: Math.ceil(machines / 20),
  machines,
  demands: Math.ceil(machines / 5),
  messages: machines * 2,
})

/** Demands with this title were written by the bench. */
export const writtenTitle = '压力测试 装载机'

const writeLine = (line: string) => void process.stdout.write(`${line}\n`)

/** The cluster of the benches, running. */
export async function startBench(): Promise<{ embedded: Embedded; folder: string }> {
  const folder = resolve(process.env.BENCH_DIR ?? 'data/bench')
  mkdirSync(folder, { recursive: true })
  return { embedded: await startEmbedded(`${folder}/postgres`, () => undefined, { practice: true }), folder }
}

/** The address of a database with this many machines; made when it is not there. About four minutes for a million. */
export async function largeDatabase(embedded: Embedded, machines: number): Promise<string> {
  const name = `large_${machines}`
  const address = new URL(embedded.url)
  const admin = new pg.Client(address.href)
  await admin.connect()
  try {
    return await found(admin, address, machines, name)
  } finally {
    await admin.end()
  }
}

async function found(admin: pg.Client, address: URL, machines: number, name: string): Promise<string> {
  const { rows } = await admin.query('select 1 from pg_database where datname = $1', [name])
  address.pathname = `/${name}`
  if (rows.length === 0) {
    const making = new URL(address)
    making.pathname = `/${name}_making`
    await admin.query(`drop database if exists ${name}_making`)
    await admin.query(
      `create database ${name}_making template template0 encoding 'UTF8' locale_provider builtin builtin_locale 'C.UTF-8' locale 'C.UTF-8'`,
    )
    await migrate(making.href)
    await fill(making.href, sizesOf(machines))
    // It gets this name only when it is complete.
    await admin.query(`alter database ${name}_making rename to ${name}`)
  } else {
    await migrate(address.href)
    await complete(address.href)
    await tidy(address.href)
  }
  return address.href
}

/** Gives a market that was made earlier what it lacks: messages of a kind that the product knows, demands that are not opened yet, events, contracts. */
async function complete(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(
      `update message set kind = 'quoteReceived', system_subject = '${messageKinds.quoteReceived.subject}' where kind = 'quote.received'`,
    )
    await client.query(`update demand set open_time = null where status = '3' and open_time is not null`)
    if (!(await client.query('select from demand_event where demand_id = (select min(id) from demand)')).rowCount)
      await run(client, ['events'])
    if ((await client.query('select from contract limit 1')).rowCount) return
    await run(client, ['contracts', 'positions'])
    await client.query('vacuum (analyze) contract, contract_line, message')
  } finally {
    await client.end()
  }
}

/** Deletes what earlier runs of the bench wrote, so that every run measures a market of the same size. */
async function tidy(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(`delete from quote where demand_id in (select id from demand where title = '${writtenTitle}')`)
    const { rowCount } = await client.query(`delete from demand where title = '${writtenTitle}'`)
    if (!rowCount) return
    writeLine(`taking ${rowCount} demands of earlier runs out of the large market…`)
    await client.query(`delete from message where biz_type <> ''`)
    await client.query(`delete from equipment where equipment_code like 'CMP%'`)
    await client.query('delete from equipment_import')
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}

/** Demands that still take quotes: the newest. */
const quotingOf = (demands: number) => Math.min(4300, Math.ceil(demands / 4))

// Machines are confirmed and deadlines set for the next three months, so no job takes machines off the shelf or opens demands while a row is measured.
const steps: [title: string, text: (sizes: Sizes) => string][] = [
  [
    'companies',
    ({ companies }) => `
      insert into company (enterprise_name, credit_code, is_lessor, is_lessee, lessor_audit, lessee_audit, province_id, city_id, grade, search_text)
      select w.name, '91110108' || lpad(n::text, 9, '0') || 'X', n > 40, n <= 40, case when n > 40 then '2' else '0' end, case when n <= 40 then '2' else '0' end,
        c.parent_code, c.code, (array['A', 'B', 'C'])[1 + n % 3], w.name
      from generate_series(1, ${companies}) n,
        lateral (select codes[1 + n * 7 % cardinality(codes)] as code from (select array_agg(code order by code) as codes from region where level = 2) r) at
        join region c on c.code = at.code,
        lateral (select c.name || (array['华', '中', '兴', '盛', '安', '远', '恒', '通'])[1 + n % 8] || (array['达', '信', '业', '工', '顺', '辉'])[1 + n % 6] || n || '机械租赁有限公司' as name) w`,
  ],
  [
    'people',
    ({ companies }) => `
      with root as (
        insert into dept (dept_name, dept_type, company_id) select 'Group ' || n, '1', n from generate_series(1, 40) n returning id, company_id),
      unit as (insert into dept (dept_name, dept_type, company_id, parent_id, ancestors)
        select 'Unit ' || n, '2', r.company_id, r.id, array[r.id] from root r, generate_series(1, 10) n returning id, company_id, parent_id),
      project as (insert into dept (dept_name, dept_type, company_id, parent_id, ancestors, project_name, project_type)
        select 'Project ' || u.id || '-' || n, '3', u.company_id, u.id, array[u.parent_id, u.id], 'Project ' || n, 'highway'
        from unit u, generate_series(1, case when u.company_id = 1 then 40 else 1 end) n returning id, company_id),
      builders as (insert into account (user_name, password_hash, user_type, audit_status, dept_id, company_id)
        select 'project' || id, 'none', '3', '2', id, company_id from project returning id, dept_id),
      chiefs as (insert into account (user_name, password_hash, user_type, audit_status, dept_id, company_id, is_admin)
        select 'group' || company_id, 'none', '2', '2', id, company_id, true from root returning id, dept_id),
      homes as (insert into account_dept (account_id, dept_id) select * from builders union all select * from chiefs returning 1),
      lessors as (insert into account (user_name, password_hash, user_type, audit_status, company_id)
        select 'lessor' || n, 'none', '4', '2', n from generate_series(41, ${companies}) n returning id)
      select count(*) from lessors, homes`,
  ],
  [
    'second factors',
    () =>
      `insert into second_factor (account_id, secret_sealed, created_at, confirmed_at) select id, '', now(), now() from account where is_admin`,
  ],
  [
    'machines',
    ({ machines, companies }) => `
      insert into equipment (equipment_code, company_id, father_category_id, category_id, name, brand, model, specs, main_value, factory_no, out_factory_date,
        emission_stage, province_id, city_id, audit_status, shelf_status, month_price_fen, confirmed_at, search_text)
      select 'SB20260101' || n, o.id, c.parent_id, c.id, c.name, w.brand, w.model, (select coalesce(jsonb_object_agg(p.key, case when p.main then w.size else 1 + (n * 37::bigint * p.at) % 200 end), '{}') from unnest(c.keys, c.mains) with ordinality p(key, main, at)), w.size, 'F' || n,
        date '2016-01-01' + (n % 3600), (array['2', '3', '4'])[1 + n % 3], r.parent_code, r.code, '2', '1', (300000 + (n * 7919::bigint) % 9000000), now() + interval '90 days' - n % 800 * interval '1 hour',
        c.name || ' ' || w.brand || ' ' || w.model || ' ' || c.alias
      from generate_series(1, ${machines}) n
        join lateral (select 41 + (n * 31::bigint) % (${companies} - 40) as id) o on true
        join (select id, parent_id, name, row_number() over (order by id) - 1 as at, numeric.keys, numeric.mains,
          array_to_string(alias, ' ') as alias
          from category, lateral (select array_agg(p ->> 'key') as keys, array_agg((p ->> 'main')::boolean) as mains
            from jsonb_array_elements(params) p where p ->> 'type' = 'number') numeric where level = 2) c on c.at = (n * 13::bigint + n / 1000) % (select count(*) from category where level = 2)
        join (select code, parent_code, row_number() over (order by code) - 1 as at from region where level = 2) r on r.at = (n * 17::bigint + n / 700) % (select count(*) from region where level = 2),
        lateral (select (array['徐工', '三一', '中联重科', '柳工', '山推', '卡特彼勒', '小松', '沃尔沃', '日立', '龙工', '临工', '斗山'])[1 + (n * 5) % 12] as brand,
          'XY' || 50 + n % 97 || (array['K', 'C', 'D', 'E'])[1 + n % 4] as model, 5 + n % 95 as size) w
        order by n`,
  ],
  [
    'prices',
    () => `
      insert into equipment_price (equipment_id, rent_unit, price_fen)
      select id, 'M', month_price_fen from equipment union all select id, 'D', month_price_fen / 26 from equipment where id % 2 = 0`,
  ],
  [
    'bookings',
    () => `
      insert into equipment_booking (equipment_id, period, reason)
      select id, daterange(t.day, t.day + 20 + (id % 70)::int), 'own' from equipment, lateral (select current_date + (id * 7 % 240)::int - 60 as day) t where id % 8 = 0`,
  ],
  [
    'papers',
    () =>
      `insert into equipment_document (equipment_id, kind, number, valid_to) select id, 'ownership', 'N' || id, current_date + 900 from equipment
      union all select id, kind, 'N' || id, current_date + 900 from equipment, unnest(array['conformity', 'emission']) kind where category_id = 106`,
  ],
  [
    'demands',
    ({ demands }) => `
      insert into demand (demand_code, title, company_id, dept_id, account_id, project_name, province_id, city_id, quote_deadline, status,
          plan_start, plan_end, quote_count, publish_time, open_time, search_text)
        select 'XQ' || n, '需求 ' || n, p.company_id, p.dept_id, p.id, 'Project', r.parent_code, r.code,
          t.at + case when n > ${demands - quotingOf(demands)} then interval '90 days' else interval '3 days' end,
          case when n > ${demands - quotingOf(demands)} then '3' else (array['4', '6', '7', '9', '5'])[1 + n % 5] end, current_date, current_date + 90, 3, t.at, case when n <= ${demands - quotingOf(demands)} then t.at + interval '3 days' end, '需求 ' || n || ' 汽车起重机'
        from generate_series(1, ${demands}) n
          join (select id, dept_id, company_id, row_number() over (order by id) - 1 as at from account where user_type = '3' and company_id = 1) p on p.at = n % (select count(*) from account where user_type = '3' and company_id = 1)
          join (select code, parent_code, row_number() over (order by code) - 1 as at from region where level = 2) r on r.at = (n * 17::bigint) % (select count(*) from region where level = 2),
          lateral (select now() - (${demands} - n) * interval '1 minute' as at) t`,
  ],
  [
    'events',
    // Without their chain, which locks each demand: one statement has no room for so many locks.
    () => `
      alter table demand_event disable trigger demand_event_chained;
      insert into demand_event (demand_id, account_id, move, to_status, at) select id, account_id, 'publish', '3', publish_time from demand order by id;
      alter table demand_event enable trigger demand_event_chained`,
  ],
  [
    'demand lines',
    () => `
      insert into demand_item (demand_id, line_no, father_category_id, category_id, qty, plan_start, plan_end, rent_unit, price_ceiling_fen)
        select d.id, l, c.parent_id, c.id, 2, current_date, current_date + 90, 'M', 2000000
        from demand d cross join generate_series(1, 2) l
          join (select id, parent_id, row_number() over (order by id) - 1 as at from category where level = 2) c on c.at = (d.id * 3 + l) % (select count(*) from category where level = 2)`,
  ],
  [
    'quotes',
    ({ companies }) => `
      insert into quote (quote_code, demand_id, demand_revision, company_id, account_id, contact_name, contact_phone, valid_until, status, sealed_offer,
          seal_hash, submit_time, open_time)
        select 'BJ' || d.id || '-' || k, d.id, 1, 41 + (d.id * 7 + k) % (${companies} - 40), (select min(id) from account where user_type = '4'), 'x', 'x', current_date + 200,
          case when k = 1 and d.status in ('5', '6', '9') then '6' else '8' end, '', '', d.publish_time, d.open_time
        from demand d, generate_series(1, 3) k where d.status <> '3'`,
  ],
  [
    'quoted lines',
    () => `
      insert into quote_line (quote_id, demand_item_id, qty, unit_price_fen, rent_unit, includes_operator, includes_fuel, tax_rate, invoice_kind, earliest_entry)
        select q.id, i.id, 2, 1600000 + q.id % 500000, 'M', true, false, 9, 'special', current_date from quote q join demand_item i on i.demand_id = q.demand_id`,
  ],
  [
    'awards',
    () => `
      insert into award (demand_id, account_id, at, net_fen) select id, account_id, open_time + interval '2 days', 9600000 from demand where status in ('5', '6', '9')`,
  ],
  [
    'award lines',
    () => `
      insert into award_line (award_id, demand_item_id, quote_line_id, company_id, qty, net_fen, mean_net_fen)
        select w.id, l.demand_item_id, l.id, q.company_id, 2, 4800000, 5000000
        from award w join quote q on q.demand_id = w.demand_id and q.status = '6' join quote_line l on l.quote_id = q.id`,
  ],
  [
    'what was won',
    () => `
      with line as (
        select award_id, quote_id, sum(a.qty) as machines, sum(net_fen) as net, sum(mean_net_fen) as mean
        from award_line a join quote_line l on l.id = a.quote_line_id group by 1, 2),
      total as (
        update award w set machines = t.machines, net_fen = t.net, mean_net_fen = t.mean
        from (select award_id, sum(machines) as machines, sum(net) as net, sum(mean) as mean from line group by 1) t where t.award_id = w.id)
      update quote q set won_machines = machines, won_net_fen = net, won_mean_fen = mean from line where line.quote_id = q.id`,
  ],
  [
    'contracts',
    () => `
      insert into contract (contract_code, source, award_id, demand_id, dept_id, lessee_company_id, lessor_company_id, title, province_id, city_id, address,
          plan_start, plan_end, clauses, amount_fen, net_fen, tax_fen, status, text_hash, sent_at, confirmed_at, search_text, create_time, update_time)
        select 'HT' || w.id, 'award', w.id, d.id, d.dept_id, d.company_id, q.company_id, d.title, d.province_id, d.city_id, '工地驻地', d.plan_start, d.plan_end,
          '${JSON.stringify(defaultClauses({ buildingLifting: false, rentUnits: ['M'], payment: { ratio: 100, days: 30 } }))}', 10464000, 9600000, 864000, state.digit, repeat('0', 64), w.at, case when state.digit = '1' then null else w.at end,
          'HT' || w.id || ' ' || d.title, w.at, w.at
        from award w join demand d on d.id = w.demand_id join quote q on q.demand_id = d.id and q.status = '6',
          lateral (select (array['1', '2', '3', '4', '5'])[1 + w.id % 5] as digit) state`,
  ],
  [
    'positions',
    () => `
      insert into contract_line (contract_id, line_no, award_line_id, category_id, name, equipment_id, is_lot, qty, rent_unit, unit_price_fen, tax_rate,
          invoice_kind, includes_operator, includes_fuel, plan_start, plan_end)
        select c.id, row_number() over (partition by c.id order by l.id), l.id, e.category_id, e.name, e.id, false, 1, 'M', 1600000, 9, 'special', true, false,
          c.plan_start, c.plan_end
        from contract c join award_line l on l.award_id = c.award_id and l.company_id = c.lessor_company_id
          join (select distinct on (company_id) company_id, id, category_id, name from equipment order by company_id, id) e using (company_id)`,
  ],
  [
    'messages',
    ({ messages }) => `
      insert into message (account_id, system_subject, kind, title, content, is_read, create_time)
        select a.id, '${messageKinds.quoteReceived.subject}', 'quoteReceived', '报价 ' || n, '收到一份报价', case when n % 5 = 0 then '0' else '1' end, now() - n * interval '10 seconds'
        from (select array_agg(id) as ids from account) every, generate_series(1, ${messages}) n
          join lateral (select ids[1 + (n * 11::bigint) % cardinality(ids)] as id) a on true`,
  ],
  [
    'sessions',
    () => `insert into session (token_hash, account_id, created_at, expires_at)
      select sha256(convert_to('bench-' || user_name, 'UTF8')), id, now(), now() + interval '10 years' from account where id < 6000`,
  ],
  [
    'articles',
    () => `
      insert into article (tab, title, summary, content, publish_time)
        select (1 + n % 3)::text, '资讯 ' || n, '摘要', '<p>正文</p>', now() - n * interval '1 hour' from generate_series(1, 3000) n`,
  ],
]

/** The whole market in small, for the tests of the plans of its lists. The words of machines are left to those who ask for them. */
export async function fillMarket(client: pg.ClientBase, sizes: Sizes): Promise<void> {
  await client.query('alter table equipment disable trigger equipment_words')
  for (const [, text] of steps) await client.query(text(sizes))
  await client.query('vacuum (analyze)')
}

/** Companies and machines like those of the large market, for a test. */
export async function fillMachines(client: pg.ClientBase, machines: number): Promise<void> {
  const sizes = { ...sizesOf(machines), companies: 60 }
  await run(client, ['companies', 'machines', 'bookings'], sizes)
  await client.query('analyze')
}

async function run(client: pg.ClientBase, titles: readonly string[], sizes = sizesOf(0)): Promise<void> {
  for (const [title, text] of steps) if (titles.includes(title)) await client.query(text(sizes))
}

async function fill(url: string, sizes: Sizes): Promise<void> {
  const { db } = connect(url, 1)
  await seedReference(db)
  await db.destroy()
  const client = new pg.Client(url)
  await client.connect()
  writeLine(`making ${sizes.machines} machines, ${sizes.companies} companies, ${sizes.demands} demands, ${sizes.messages} messages…`)
  await client.query("set synchronous_commit = off; set maintenance_work_mem = '512MB'; set work_mem = '64MB'")
  try {
    for (const [title, text] of steps) {
      const began = performance.now()
      const { rowCount } = await client.query(text(sizes))
      writeLine(`  ${title.padEnd(14)} ${rowCount ?? ''} (${((performance.now() - began) / 1000).toFixed(0)} s)`)
    }
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}
