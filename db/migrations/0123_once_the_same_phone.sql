-- The companies of a deal with which a lessor had a telephone number in common when its quote was opened. It stays when another person becomes the
-- contact or when a number is erased, and so does the mark of the demand for two lessors with one number.
alter table quote add column same_phone bigint[] not null default '{}';

with phone as materialized (
  select q.demand_id, q.company_id, p.digits from quote q join company c on c.id = q.company_id
    cross join lateral (values (regexp_replace(q.contact_phone, '\D', '', 'g')), (regexp_replace(c.contact_phone, '\D', '', 'g'))) p (digits)
    where q.open_time is not null and p.digits <> ''
  union select d.id, d.company_id, p.digits from demand d join company c on c.id = d.company_id
    cross join lateral (values (regexp_replace(d.contact_phone, '\D', '', 'g')), (regexp_replace(c.contact_phone, '\D', '', 'g'))) p (digits)
    where d.open_time is not null and p.digits <> ''),
alike as (
  select one.demand_id, one.company_id, array_agg(distinct other.company_id order by other.company_id) as others from phone one
    join phone other on other.demand_id = one.demand_id and other.digits = one.digits and other.company_id <> one.company_id group by 1, 2)
update quote q set same_phone = alike.others from alike
  where q.demand_id = alike.demand_id and q.company_id = alike.company_id and q.open_time is not null;

create index quote_same_phone on quote using gin (same_phone) where same_phone <> '{}';

-- One quote; an award above the ceiling; opened on the day it was published; two lessors with one telephone number, now or before.
create or replace function demand_exceptions(d demand) returns smallint language sql stable as $$
  select case when d.open_time is null then 0 else
    (d.quote_count = 1)::integer
    + 2 * (exists (select from demand_item i join award_line l on l.demand_item_id = i.id join quote_line o on o.id = l.quote_line_id
        where i.demand_id = d.id and o.rent_unit = i.rent_unit and o.unit_price_fen > i.price_ceiling_fen))::integer
    + 4 * coalesce((d.open_time at time zone 'Asia/Shanghai')::date = (d.publish_time at time zone 'Asia/Shanghai')::date, false)::integer
    + 8 * (d.exceptions & 8 > 0 or exists (select from quote a join quote b on b.demand_id = a.demand_id and b.company_id > a.company_id
        and b.contact_phone = a.contact_phone and b.open_time is not null where a.demand_id = d.id and a.open_time is not null))::integer
  end::smallint
$$;
