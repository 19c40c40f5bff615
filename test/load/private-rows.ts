/** Rows for the smaller lists of the private areas and of the console, beside the market in small: of each owner a part, 3,000 of each kind. */
export const privateRows = `
  insert into price_ceiling (dept_id, category_id, rent_unit, price_fen, from_day, account_id, update_time)
    select d.id, c.id, 'M', 1000000 + n, current_date - 30, (select min(id) from account), now()
    from generate_series(1, 3000) n join (select id, row_number() over (order by id) - 1 as at, count(*) over () as of from dept where company_id > 1 or id % 5 = 0) d on d.at = n % d.of
      join (select id, row_number() over (order by id) - 1 as at, count(*) over () as of from category where level = 2) c on c.at = n % c.of;
  insert into feedback (feedback_code, account_id, type, title, content, status, create_time, update_time)
    select 'FK' || n, a.id, 'fault', '反馈 ' || n, '内容', (n % 20 / 7)::text, now(), now() - n * interval '1 minute'
    from generate_series(1, 3000) n join (select id, row_number() over (order by id) - 1 as at, count(*) over () as of from account) a on a.at = n % a.of;
  insert into sign_in (account_id, at, way, succeeded)
    select a.id, now() - n * interval '1 minute', 'password', true
    from generate_series(1, 3000) n join (select id, row_number() over (order by id) - 1 as at, count(*) over () as of from account) a on a.at = n % a.of;
  insert into contact (name, company, phone, type, content, status) select '人 ' || n, '公司 ' || n, '13900000000', 'other', '合作', (n % 2)::text from generate_series(1, 3000) n;
  insert into blacklist (blacklist_code, subject_kind, company_id, level, scope_dept_id, reason_code, facts, from_day, to_day, status, proposer_id, notify_time, create_time, update_time)
    select 'HM' || n, 'company', 41 + n % 1100, 1, case when n % 50 > 0 then d.id end, 'other', repeat('事实', 40), current_date - n % 300, current_date - n % 300 + 90, (n % 7)::text,
      (select max(id) from account), now(), now(), now()
    from generate_series(1, 3000) n join (select id, row_number() over (order by id) - 1 as at, count(*) over () as of from dept where company_id > 1 or id % 5 = 0) d on d.at = n % d.of;
  insert into broadcast (account_id, title, content, audience, people, at) select (select min(id) from account), '公告 ' || n, '内容', '{}', 1, now() from generate_series(1, 300) n;
  insert into equipment_import (company_id, account_id, father_category_id, file_name, create_time)
    select 41 + n % 1100, (select min(id) from account), (select min(id) from category), 'x.xlsx', now() from generate_series(1, 3000) n;
  insert into internal_machine (dept_id, account_id, father_category_id, category_id, name, province_id, city_id, free_from, free_to, status, create_time, update_time)
    select d.id, (select min(id) from account), c.parent_id, c.id, c.name, 330000, 330100, current_date, current_date + 90, (n % 2)::text, now(), now()
    from generate_series(1, 3000) n join (select id, row_number() over (order by id) - 1 as at, count(*) over () as of from dept where company_id > 1 or id % 5 = 0) d on d.at = n % d.of
      join (select id, parent_id, name, row_number() over (order by id) - 1 as at, count(*) over () as of from category where level = 2) c on c.at = n % c.of;
  insert into internal_transfer (transfer_code, internal_machine_id, from_dept_id, to_dept_id, period, status, account_id, create_time, update_time)
    select 'DB' || m.id, m.id, m.dept_id, m.dept_id, daterange(current_date, current_date + 30), '0', m.account_id, now(), now() from internal_machine m;
  insert into cancellation (account_id, reason, status, requested_at, due_at)
    select a.id, '不再使用', case when n % 30 = 0 then '3' else '1' end, now() - n * interval '1 hour', now()
    from generate_series(1, 3000) n join (select id, row_number() over (order by id) - 1 as at, count(*) over () as of from account) a on a.at = n % a.of;
  insert into demand (title, company_id, dept_id, account_id, status, draft, search_text)
    select '草稿 ' || n, company_id, dept_id, account_id, '0', '{}', '' from demand, generate_series(1, 1) n order by demand.id limit 60`
