import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { machineClasses } from '#db/seed/machines.ts'
import { operatorDuties, userType } from '#shared/account/rules.ts'
import { permissionsFor } from '#shared/account/permissions.ts'
import { dayOf, toMoment } from '#shared/calendar.ts'
import { listCertifications as listContract } from '#shared/certification/contract.ts'
import { equipmentProblems, EquipmentInput } from '#shared/equipment/upload.ts'
import { listDemandsForLessor as listDemandsContract } from '#shared/quote/contract.ts'
import type { Actor } from '#server/actor/actor.ts'
import { findCategories } from '#server/category/queries.ts'
import { listCertifications } from '#server/certification/queries.ts'
import { getMachine, inputOf } from '#server/equipment/own.ts'
import { listDemandsForLessor } from '#server/quote/market.ts'
import { regionNameOf } from '#server/region/queries.ts'
import { findTasks } from '#server/statistics/tasks.ts'
import { openDemo } from './open-demo.ts'

const { folder, now, db, rows, count } = await openDemo()

describe('the machines of the demo market', () => {
  test('each that is offered or waits is one that the form would take, photos aside', async () => {
    const categories = new Map((await findCategories(db)).map((category) => [category.id, category]))
    const machines = await rows(sql<{ id: number }>`select id from equipment where audit_status in ('1', '2') order by id`)
    const problems: string[] = []
    for (const { id } of machines) {
      const machine = await getMachine(db, { id, companyId: null, now })
      const input = inputOf(machine)
      const found = equipmentProblems(input, categories.get(input.categoryId), true, dayOf(now))
      problems.push(
        ...found.filter(({ path }) => path[0] !== 'imageIds').map(({ path, rule }) => `${machine.name}: ${path.join('.')} ${rule}`),
      )
      const parsed = EquipmentInput.safeParse({
        ...input,
        prices: input.prices.map((price) => ({ ...price, price: null })),
        originalValue: null,
      })
      if (!parsed.success) problems.push(`${machine.name}: ${parsed.error.message}`)
    }
    expect(problems).toEqual([])
    expect(machines.length).toBeGreaterThan(390)
  })

  test('they are of sixty categories and more in twelve cities, and every firm keeps to its trade', async () => {
    expect(
      await count(sql<{ n: number }>`select count(distinct category_id)::int as n from equipment where shelf_status = '1'`),
    ).toBeGreaterThan(60)
    expect(
      await count(sql<{ n: number }>`select count(distinct city_id)::int as n from equipment where shelf_status = '1'`),
    ).toBeGreaterThanOrEqual(12)
    const tradesOf = new Map(
      [...Map.groupBy(machineClasses, ({ category }) => category)].map(([id, list]) => [id, new Set(list.map(({ trade }) => trade))]),
    )
    const fleets = await rows(sql<{
      name: string
      categories: number[]
    }>`select c.enterprise_name as name, array_agg(distinct e.category_id) as categories
      from equipment e join company c on c.id = e.company_id group by 1`)
    for (const { name, categories } of fleets) {
      const [first, ...others] = categories.map((id) => tradesOf.get(id) ?? new Set<string>())
      const shared = [...(first ?? [])].filter((trade) => others.every((trades) => trades.has(trade)))
      expect(shared, name).toHaveLength(1)
    }
  })

  test('electric machines have no stage, no code and no diesel; machines without an engine burn nothing', async () => {
    expect(
      await rows(sql`select e.name from equipment e where (e.specs ->> 'drive' = '电动') <> (e.emission_stage = 'electric')
        or (e.emission_stage in ('electric', 'none') and e.env_code is not null)`),
    ).toEqual([])
    expect(
      await rows(sql`select e.name, p.fuel_by from equipment e join equipment_price p on p.equipment_id = e.id join category c on c.id = e.category_id
        where (e.emission_stage = 'electric' or not ((c.flags ->> 'nonRoad')::boolean or (c.flags ->> 'roadVehicle')::boolean)) <> (p.fuel_by = 'none')`),
    ).toEqual([])
  })

  test('a rent with driver is nine thousand yuan above a bare one, and welders, forklifts, tower cranes and lifts come without', async () => {
    const rents = await rows(sql<{ category: number; value: number; yuan: number; driver: boolean; name: string }>`
      select e.category_id as category, e.main_value::float as value, p.price_fen / 100 as yuan, p.with_operator as driver, e.name
      from equipment e join equipment_price p on p.equipment_id = e.id and p.rent_unit = 'M' where p.price_fen is not null`)
    for (const { category, value, yuan, driver, name } of rents) {
      const known = machineClasses.find((one) => one.category === category && one.value === value)
      expect(known, name).toBeDefined()
      // The least that region, age and chance leave of the class's bare rent.
      if (driver) expect(yuan, name).toBeGreaterThanOrEqual(9000 + (known?.rent ?? 0) * 0.5)
      if ([201, 202, 208, 301, 302, 303, 701, 706, 805, 907, 908, 1105].includes(category)) expect(driver, name).toBe(false)
    }
  })

  test('a month price is one that somebody is offered, or computed from one', async () => {
    expect(
      await rows(sql`select e.name, e.month_price_fen from equipment e where e.month_price_fen is distinct from coalesce(
        (select price_fen from equipment_price p where p.equipment_id = e.id and rent_unit = 'M'),
        (select price_fen * 30 from equipment_price p where p.equipment_id = e.id and rent_unit = 'D'),
        (select price_fen * 26 from equipment_price p where p.equipment_id = e.id and rent_unit = 'S'))`),
    ).toEqual([])
    expect(
      await count(sql<{ n: number }>`select count(*)::int as n from equipment where category_id = 903 and shelf_status = '1'`),
    ).toBeGreaterThan(0)
  })
})

describe('the papers and pictures of the demo market', () => {
  test('sixty machines have photos, every paper has a file, and every file is there with its thumbnail', async () => {
    expect(
      await count(
        sql<{
          n: number
        }>`select count(distinct equipment_id)::int as n from equipment_image i join equipment e on e.id = i.equipment_id where e.shelf_status = '1'`,
      ),
    ).toBeGreaterThanOrEqual(60)
    expect(await count(sql<{ n: number }>`select count(*)::int as n from equipment_document where file_id is null`)).toBe(0)
    expect(
      await count(
        sql<{
          n: number
        }>`select count(*)::int as n from equipment e where audit_status = '1' and not exists (select from equipment_image i where i.equipment_id = e.id)`,
      ),
    ).toBe(0)
    // The form of a machine demands a photo with every change, so those who sign in to the demo could not save one.
    expect(
      await count(
        sql<{ n: number }>`select count(*)::int as n from equipment e join account a on a.company_id = e.company_id
          where a.user_name in ('lessor', 'lessor2') and e.audit_status = '2'
            and not exists (select from equipment_image i where i.equipment_id = e.id)`,
      ),
    ).toBe(0)
    const files = await rows(sql<{ id: string; size: number }>`select id, size from file`)
    expect(files.length).toBeGreaterThan(400)
    for (const { id, size } of files) {
      expect(statSync(join(folder, id.slice(0, 2), id)).size, id).toBe(size)
      expect(existsSync(join(folder, id.slice(0, 2), `${id}-thumb`)), id).toBe(true)
    }
  })
})

describe('the people of the demo market', () => {
  test('the operator’s panel counts as many certifications as its link lists', async () => {
    const { id } = await db.selectFrom('account').where('userName', '=', 'operator').select('id').executeTakeFirstOrThrow()
    const operator: Actor = {
      accountId: id,
      userName: 'operator',
      userType: userType.operator,
      role: 'operator',
      contractRole: 'operator',
      permissions: permissionsFor('operator', operatorDuties, true),
      companyId: null,
      deptId: null,
      isAdmin: true,
      setup: null,
      address: '',
    }
    const waiting = (await findTasks(db, operator, now)).find(({ kind }) => kind === 'review')?.count
    const { total } = await listCertifications(db, operator, listContract.query.parse({ status: '1' }))
    expect(waiting).toBeGreaterThan(4)
    expect(total).toBe(waiting)
  })

  test('each certified firm and project has the record of its certification with who passed it', async () => {
    expect(
      await rows(sql`select c.enterprise_name from company c where c.is_lessor and not exists (
        select from certification g join certification_event v on v.certification_id = g.id and v.action = 'pass' and v.account_id is not null
        where g.company_id = c.id and g.kind = 'rentout' and g.status = c.lessor_audit)`),
    ).toEqual([])
    expect(
      await rows(
        sql`select d.dept_name from dept d where d.dept_type = '3' and not exists (select from certification g where g.dept_id = d.id and g.status = '2')`,
      ),
    ).toEqual([])
  })

  test('whoever published, quoted, decided, applied or wrote has signed in', async () => {
    expect(
      await rows(sql`select a.user_name from account a where not exists (select from sign_in s where s.account_id = a.id and s.succeeded) and (
        exists (select from demand d where d.account_id = a.id) or exists (select from quote q where q.account_id = a.id)
        or exists (select from feedback f where f.account_id = a.id) or exists (select from certification c where c.account_id = a.id) or a.user_type in ('8', '9'))`),
    ).toEqual([])
  })

  test('no list of the console or of the demo’s lessor is empty', async () => {
    const n = (table: string) => count(sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`)
    expect(await n('feedback')).toBe(25)
    for (const table of ['outbox', 'cancellation', 'equipment_import', 'contact', 'broadcast', 'favourite'])
      expect(await n(table), table).toBeGreaterThan(0)
    expect(
      await count(
        sql<{
          n: number
        }>`select count(*)::int as n from blacklist where company_id = (select company_id from account where user_name = 'lessor')`,
      ),
    ).toBe(1)
    expect(
      await count(sql<{ n: number }>`select count(*)::int as n from certification where status = '1' and parent_dept_id is null`),
    ).toBeGreaterThan(4)
  })

  test('numbers with a date have the date of their making, and everything is numbered in the order of time', async () => {
    const dated = [
      ['feedback', 'feedback_code', 'create_time'],
      ['equipment', 'equipment_code', 'create_time'],
      ['demand', 'demand_code', 'create_time'],
      ['contract', 'contract_code', 'create_time'],
      ['blacklist', 'blacklist_code', 'create_time'],
      ['internal_transfer', 'transfer_code', 'create_time'],
    ] as const
    for (const [table, code, at] of dated)
      expect(
        await rows(sql`select ${sql.ref(code)} from ${sql.table(table)}
          where substr(${sql.ref(code)}, 3, 8) <> to_char(${sql.ref(at)} at time zone 'Asia/Shanghai', 'YYYYMMDD')`),
        table,
      ).toEqual([])
    const ordered = { message: 'create_time', demand: 'create_time', quote: 'create_time', award: 'at', equipment: 'create_time' }
    const more = {
      feedback: 'create_time',
      certification: 'submitted_at',
      sign_in: 'at',
      audit_log: 'at',
      outbox: 'create_time',
      article: 'create_time',
    }
    const others = {
      company: 'create_time',
      account: 'create_time',
      demand_event: 'at',
      contract: 'create_time',
      contract_event: 'at',
      certification_event: 'at',
      blacklist: 'create_time',
    }
    for (const [table, at] of Object.entries({ ...ordered, ...more, ...others }))
      expect(
        await count(sql<{ n: number }>`select count(*)::int as n from (
          select ${sql.ref(at)} < lag(${sql.ref(at)}) over (order by ${sql.ref(table === 'audit_log' ? 'seq' : 'id')}) as earlier from ${sql.table(table)}) o where earlier`),
        table,
      ).toBe(0)
  })
})

describe('the demands of the demo market', () => {
  test('lines ask for the steps of the trade, and the machines that were offered fit them', async () => {
    const asked = await rows(
      sql<{ category: number; value: number | null }>`select category_id as category, main_value::float as value from demand_item`,
    )
    for (const { category, value } of asked)
      expect(
        machineClasses.some((one) => one.category === category && (one.value === value || Math.floor(one.value) === value)),
        `${category} ${value}`,
      ).toBe(true)
    expect(
      await rows(sql`select i.id from quote_line l join demand_item i on i.id = l.demand_item_id
        join quote_line_equipment m on m.quote_line_id = l.id join equipment e on e.id = m.equipment_id
        where e.category_id <> i.category_id or (i.main_rule = 'ge' and e.main_value < i.main_value)`),
    ).toEqual([])
  })

  test('no machine is offered before it was entered', async () => {
    expect(
      await rows(sql`select q.id, e.id as machine from quote q join quote_line l on l.quote_id = q.id
        join quote_line_equipment m on m.quote_line_id = l.id join equipment e on e.id = m.equipment_id where e.create_time > q.create_time`),
    ).toEqual([])
  })

  test('deals are spread over the months, the last one included', async () => {
    const months = await rows(
      sql<{ n: number }>`select count(*)::int as n from award where at > now() - interval '360 days' group by date_trunc('month', at)`,
    )
    expect(months.length).toBeGreaterThanOrEqual(12)
    expect(
      await count(sql<{ n: number }>`select count(*)::int as n from award where at > now() - interval '31 days'`),
    ).toBeGreaterThanOrEqual(5)
  })

  test('each lessor has a phone number of their own, but for two firms that meet in a few demands', async () => {
    expect(
      await rows(sql`select contact_phone, count(*)::int as firms from company where is_lessor group by 1 having count(*) > 1`),
    ).toMatchObject([{ firms: 2 }])
    const meetings = await count(
      sql<{ n: number }>`select count(distinct a.demand_id)::int as n from quote a
        join quote b on b.demand_id = a.demand_id and b.company_id > a.company_id and b.contact_phone = a.contact_phone and b.open_time is not null
        where a.open_time is not null`,
    )
    expect(meetings).toBeGreaterThan(0)
    expect(meetings).toBeLessThan(10)
  })

  test('the demo’s first lessor finds demands that its machines fit and that it has not quoted', async () => {
    const lessor = await db.selectFrom('account').where('userName', '=', 'lessor').select('companyId').executeTakeFirstOrThrow()
    const filter = listDemandsContract.query.parse({ scope: 'recommended' })
    const { total } = await listDemandsForLessor(db, { companyId: lessor.companyId ?? 0, now }, filter)
    expect(total).toBeGreaterThanOrEqual(2)
  })

  test('an urgent demand opens three minutes after the start and a usual one after ten, each with three quotes and more', async () => {
    const made = new Date((await rows(sql<{ at: string }>`select value ->> 'at' as at from setting where key = 'demo'`))[0]?.at ?? 0)
    const at = (minutes: number) => toMoment(new Date(made.getTime() + minutes * 60_000))
    const soon = await db
      .selectFrom('demand')
      .where('quoteDeadline', '>', made.toISOString())
      .where('quoteDeadline', '<', new Date(made.getTime() + 15 * 60_000).toISOString())
      .orderBy('quoteDeadline')
      .select(['urgent', 'sealed', 'quoteDeadline', 'quoteCount', 'minQuotes'])
      .execute()
    expect(soon.map(({ urgent, quoteDeadline }) => ({ urgent, quoteDeadline }))).toEqual([
      { urgent: true, quoteDeadline: at(3) },
      { urgent: false, quoteDeadline: at(10) },
    ])
    for (const { sealed, quoteCount, minQuotes } of soon) {
      expect(sealed).toBe(true)
      expect(quoteCount).toBeGreaterThanOrEqual(minQuotes)
    }
  })
})

describe('English', () => {
  test('every region has an English name in Latin letters, and every maker on the shelf', async () => {
    expect(await rows(sql`select name, name_en from region where name_en !~ '^[A-Z][A-Za-zü'' ]+$'`)).toEqual([])
    expect(
      await rows(
        sql`select distinct brand from equipment e where not exists (select from dictionary d where d.dict_type = 'brand' and d.dict_value = e.brand and d.dict_label_en ~ '^[A-Z]')`,
      ),
    ).toEqual([])
    const [place] = await db
      .selectFrom('company')
      .where('cityId', '=', 510_100)
      .limit(1)
      .select(regionNameOf('company').as('name'))
      .execute()
    expect(place?.name).toBe('四川省 成都市')
  })
})

describe('the articles of the demo market', () => {
  test('ten of the trade are worth reading: each of several paragraphs, with a cover', async () => {
    const articles = await rows(sql<{ title: string; length: number; cover: boolean }>`
      select title, length(regexp_replace(content, '<[^>]+>', '', 'g')) as length,
        exists (select from article_image i where i.article_id = article.id) as cover from article where tab = '1' and status = '1'`)
    expect(articles.length).toBeGreaterThanOrEqual(8)
    for (const { title, length, cover } of articles) {
      expect(length, title).toBeGreaterThanOrEqual(320)
      expect(cover, title).toBe(true)
    }
  })
})
