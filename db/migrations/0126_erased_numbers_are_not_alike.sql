-- Two lessors whose numbers were erased have no number in common.
create or replace function demand_exceptions(d demand) returns smallint language sql stable as $$
  select case when d.open_time is null then 0 else
    (d.quote_count = 1)::integer
    + 2 * (exists (select from demand_item i join award_line l on l.demand_item_id = i.id join quote_line o on o.id = l.quote_line_id
        where i.demand_id = d.id and o.rent_unit = i.rent_unit and o.unit_price_fen > i.price_ceiling_fen))::integer
    + 4 * coalesce((d.open_time at time zone 'Asia/Shanghai')::date = (d.publish_time at time zone 'Asia/Shanghai')::date, false)::integer
    + 8 * (d.exceptions & 8 > 0 or exists (select from quote a join quote b on b.demand_id = a.demand_id and b.company_id > a.company_id
        and b.contact_phone = a.contact_phone and b.open_time is not null
        where a.demand_id = d.id and a.contact_phone <> '' and a.open_time is not null))::integer
  end::smallint
$$;

-- The mark goes where only erased numbers were alike: none is alike now, and none was at the opening.
update demand d set exceptions = d.exceptions & ~8 where d.exceptions & 8 > 0
  and not exists (select from quote a join quote b on b.demand_id = a.demand_id and b.company_id <> a.company_id and b.open_time is not null
    where a.demand_id = d.id and a.open_time is not null
      and (a.contact_phone <> '' and b.contact_phone = a.contact_phone or b.company_id = any (a.same_phone)));
