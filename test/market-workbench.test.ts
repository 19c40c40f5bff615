import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { addDays } from '#shared/calendar.ts'
import { openDemo } from './open-demo.ts'

const { rows, count } = await openDemo()

describe('restrictions, idle machines and imports of the demo market', () => {
  test('an entry of the restriction list names a machine of its firm and a month just before the day that was proposed; a barred firm has its entry', async () => {
    const entries = await rows(sql<{ facts: string; day: string; categories: number[] }>`
      select b.facts, (b.to_day - 365)::text as day, array(select distinct category_id from equipment e where e.company_id = b.company_id) as categories
      from blacklist b where b.scope_dept_id is not null`)
    expect(entries.length).toBeGreaterThanOrEqual(6)
    const named = { 汽车起重机: 203, 剪叉式: 301, 自卸车: 901, 挖掘机: 101, 压路机: 601 }
    for (const { facts, day, categories } of entries) {
      const category = Object.entries(named).find(([name]) => facts.includes(name))?.[1]
      expect(categories, facts).toContain(category)
      expect(facts).toContain(`${Number(addDays(day, -6).slice(5, 7))}月`)
    }
    expect(
      await rows(sql<{ barred: boolean; listed: boolean }>`select blacklisted_at is not null as barred, exists (select from blacklist b
          where b.company_id = c.id and b.scope_dept_id is null and b.level = 3 and b.status in ('2', '3')) as listed
        from company c where blacklisted_at is not null or exists (select from blacklist b where b.company_id = c.id and b.scope_dept_id is null)`),
    ).toEqual([{ barred: true, listed: true }])
  })

  test('nobody quotes while a restriction holds them off', async () => {
    expect(
      await rows(sql`select q.id from quote q join demand d on d.id = q.demand_id join dept p on p.id = d.dept_id join blacklist b on b.company_id = q.company_id
        where b.level > 1 and (b.scope_dept_id is null or b.scope_dept_id = any(p.ancestors || p.id))
          and exists (select from blacklist_event v where v.blacklist_id = b.id and v.move in ('decide', 'emergency') and v.at < q.submit_time)
          and not exists (select from blacklist_event v where v.blacklist_id = b.id and v.move = 'lift' and v.at < q.submit_time)`),
    ).toEqual([])
    expect(
      await count(sql<{ n: number }>`select count(*)::int as n from blacklist where level > 1 and status in ('2', '3')`),
    ).toBeGreaterThanOrEqual(2)
  })

  test('an idle machine is asked for after it was offered, for days when it is free, at its price', async () => {
    const transfers = await rows(sql<{ status: string; isFair: boolean }>`
      select t.status, t.create_time > m.create_time and lower(t.period) >= m.free_from and upper(t.period) <= m.free_to
        and lower(t.period) > (t.create_time at time zone 'Asia/Shanghai')::date and t.from_dept_id = m.dept_id
        and t.inner_price_fen is not distinct from m.inner_price_fen as "isFair"
      from internal_transfer t join internal_machine m on m.id = t.internal_machine_id order by t.id`)
    expect(transfers).toEqual([
      { status: '2', isFair: true },
      { status: '0', isFair: true },
    ])
  })

  test('machines that were imported are as old as their import', async () => {
    const imported = await rows(sql<{ isOfImport: boolean }>`select e.create_time = i.create_time as "isOfImport"
      from equipment_import_row r join equipment_import i on i.id = r.import_id join equipment e on e.id = r.equipment_id`)
    expect(imported.length).toBeGreaterThanOrEqual(5)
    expect(imported.filter(({ isOfImport }) => !isOfImport)).toEqual([])
  })
})
