-- Facts of other tables by which demands are listed stand beside the demand, so that the indexes of the lists hold them (decision 50).
-- kinds: the categories of its lines and those above them. exceptions: why an auditor looks at it, a bit for each of exceptionKinds
-- (src/shared/statistics/panel.ts). awarded_on_ceiling, awarded_on_mean: whether its award counts in the figures of what was saved.
alter table demand
  add column kinds integer[] not null default '{}',
  add column exceptions smallint not null default 0,
  add column awarded_on_ceiling boolean not null default false,
  add column awarded_on_mean boolean not null default false;

create function demand_kinds(demand_id bigint) returns integer[] language sql stable as $$
  select coalesce(array_agg(kind order by kind), '{}') from (
    select category_id as kind from demand_item i where i.demand_id = $1 union select father_category_id from demand_item i where i.demand_id = $1) kinds
$$;

-- One quote; an award above the ceiling; opened on the day it was published; two lessors with one telephone number.
create function demand_exceptions(d demand) returns smallint language sql stable as $$
  select case when d.open_time is null then 0 else
    (d.quote_count = 1)::integer
    + 2 * (exists (select from demand_item i join award_line l on l.demand_item_id = i.id join quote_line o on o.id = l.quote_line_id
        where i.demand_id = d.id and o.rent_unit = i.rent_unit and o.unit_price_fen > i.price_ceiling_fen))::integer
    + 4 * coalesce((d.open_time at time zone 'Asia/Shanghai')::date = (d.publish_time at time zone 'Asia/Shanghai')::date, false)::integer
    + 8 * (exists (select from quote a join quote b on b.demand_id = a.demand_id and b.company_id > a.company_id and b.contact_phone = a.contact_phone
        and b.open_time is not null where a.demand_id = d.id and a.open_time is not null))::integer
  end::smallint
$$;

drop index demand_library, demand_library_region, demand_status, demand_due, demand_by_publishing, demand_published, demand_opened, demand_item_father, demand_item_category;

update demand d set kinds = demand_kinds(d.id), exceptions = demand_exceptions(d),
  awarded_on_ceiling = coalesce((select w.ceiling_fen > 0 from award w where w.demand_id = d.id), false),
  awarded_on_mean = coalesce((select w.mean_net_fen > 0 from award w where w.demand_id = d.id), false);

-- Publishing writes the categories with the demand, so an added line is only compared.
create function demand_lines_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update demand d set kinds = demand_kinds(d.id) from changed c
      where d.id = c.demand_id and not d.kinds @> array[c.category_id, c.father_category_id];
  else
    update demand d set kinds = k.kinds from (select id, demand_kinds(id) as kinds from (select distinct demand_id as id from changed) ids) k
      where d.id = k.id and d.kinds <> k.kinds;
  end if;
  return null;
end $$;
create trigger demand_kinds_added after insert on demand_item referencing new table as changed for each statement execute function demand_lines_changed();
create trigger demand_kinds_changed after update on demand_item referencing new table as changed for each statement execute function demand_lines_changed();
create trigger demand_kinds_gone after delete on demand_item referencing old table as changed for each statement execute function demand_lines_changed();

-- The quotes are sealed until the demand is opened, and nothing of them counts before.
create function demand_exceptions_changed() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'award_line' then
    update demand d set exceptions = demand_exceptions(d)
      where d.id in (select i.demand_id from changed c join demand_item i on i.id = c.demand_item_id) and d.exceptions <> demand_exceptions(d);
  elsif tg_table_name = 'quote' then
    update demand d set exceptions = demand_exceptions(d) where d.id = new.demand_id and d.exceptions <> demand_exceptions(d);
  else
    update demand d set exceptions = demand_exceptions(d) where d.id = new.id and d.exceptions <> demand_exceptions(d);
  end if;
  return null;
end $$;
create trigger demand_exceptions_opened after insert or update of open_time, publish_time, quote_count on demand
  for each row when (new.open_time is not null) execute function demand_exceptions_changed();
create trigger demand_exceptions_quoted after insert or update of open_time, contact_phone on quote
  for each row when (new.open_time is not null) execute function demand_exceptions_changed();
create trigger demand_exceptions_awarded after insert on award_line referencing new table as changed
  for each statement execute function demand_exceptions_changed();
create trigger demand_exceptions_released after delete on award_line referencing old table as changed
  for each statement execute function demand_exceptions_changed();

create or replace function demand_awarded() returns trigger language plpgsql as $$
declare demand_awarded bigint := coalesce(new.demand_id, old.demand_id);
begin
  update demand d set awarded_net_fen = w.net_fen, awarded_on_ceiling = coalesce(w.ceiling_fen > 0, false), awarded_on_mean = coalesce(w.mean_net_fen > 0, false)
    from (select demand_awarded as id) one left join award w on w.demand_id = one.id where d.id = one.id;
  return null;
end $$;
drop trigger demand_awarded on award;
create trigger demand_awarded after insert or delete or update of net_fen, ceiling_fen, mean_net_fen on award
  for each row execute function demand_awarded();

create index demand_library on demand ((status = '3') desc, publish_time desc, id desc) include (demand_type, status, plan_start, plan_end, kinds)
  where status in ('3', '4', '5', '6', '7', '9') and del_flag = '0';
create index demand_library_region on demand (province_id, (status = '3') desc, publish_time desc, id desc)
  include (city_id, demand_type, status, plan_start, plan_end, kinds)
  where status in ('3', '4', '5', '6', '7', '9') and del_flag = '0';
create index demand_status on demand (status, publish_time desc, id desc) include (demand_type, province_id, city_id, plan_start, plan_end, kinds)
  where del_flag = '0';
create index demand_due on demand (quote_deadline, id desc) include (company_id, demand_type, del_flag, kinds) where status = '3';
create index demand_by_publishing on demand (company_id, publish_time, id)
  include (dept_id, status, open_time, province_id, awarded_on_ceiling, awarded_on_mean) where status <> '0' and del_flag = '0';
create index demand_published on demand (dept_id, publish_time)
  include (id, status, quote_count, open_time, province_id, line_count, awarded_on_ceiling, awarded_on_mean)
  where status not in ('0', '1', '2') and del_flag = '0';
-- By the exceptions that an auditor asks for, and along their time where many have them.
create index demand_exceptional on demand (company_id, exceptions, open_time desc, id desc) include (dept_id, status)
  where exceptions > 0 and del_flag = '0';
create index demand_opened on demand (open_time desc, id desc) include (company_id, dept_id, status, exceptions) where exceptions > 0 and del_flag = '0';

-- The lines of a category name their demands, each once and the newest first, so that they are counted up to a bound without reading all of them.
create index demand_item_father on demand_item (father_category_id, demand_id desc) include (category_id);
create index demand_item_category on demand_item (category_id, demand_id desc) include (father_category_id, main_value);
