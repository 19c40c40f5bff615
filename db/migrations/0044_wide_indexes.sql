-- Every list of machines finds its rows in one way (decision 50): an index of what is chosen, or of the order, that holds every other filter as
-- well, so that no row is read before its page is known. All of them hold the same columns.

-- The periods in which a machine is taken, beside its bookings, so that an index can hold them. Null: it has none.
alter table equipment add column taken datemultirange;
update equipment e set taken = b.taken from (select equipment_id, range_agg(period) as taken from equipment_booking group by 1) b where b.equipment_id = e.id;

create function equipment_taken() returns trigger
language plpgsql as $$
declare
  machine bigint := coalesce(new.equipment_id, old.equipment_id);
begin
  -- Of two bookings at once the second waits here and then sees the first.
  perform from equipment where id = machine for no key update;
  update equipment set taken = (select range_agg(period) from equipment_booking where equipment_id = machine) where id = machine;
  return null;
end $$;
create trigger equipment_taken after insert or update or delete on equipment_booking for each row execute function equipment_taken();

drop index equipment_newest, equipment_cheapest, equipment_dearest, equipment_region, equipment_city, equipment_father, equipment_category, equipment_brand,
  equipment_built, equipment_like_here;

-- In the orders of the list.
create index equipment_newest on equipment (id desc)
  include (province_id, city_id, father_category_id, category_id, brand, month_price_fen, main_value, total_qty, taken)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
create index equipment_cheapest on equipment (month_price_fen, id desc)
  include (province_id, city_id, father_category_id, category_id, brand, main_value, total_qty, taken)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
create index equipment_dearest on equipment (month_price_fen desc nulls last, id desc)
  include (province_id, city_id, father_category_id, category_id, brand, main_value, total_qty, taken)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';

-- By what is chosen, with the kind and the price below it. A skip scan serves those who choose no kind.
create index equipment_region on equipment (province_id, father_category_id, category_id, month_price_fen)
  include (city_id, brand, main_value, total_qty, taken, out_factory_date, id)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
create index equipment_city on equipment (city_id, father_category_id, category_id, month_price_fen)
  include (province_id, brand, main_value, total_qty, taken, out_factory_date, id)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
create index equipment_brand on equipment (brand, father_category_id, category_id, month_price_fen)
  include (province_id, city_id, main_value, total_qty, taken, out_factory_date, id)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
create index equipment_father on equipment (father_category_id, category_id, month_price_fen)
  include (province_id, city_id, brand, main_value, total_qty, taken, out_factory_date, id)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';

-- Within a category by its main parameter, which is also the way to machines like another one and to those that fit a demand.
drop index equipment_like;
create index equipment_like on equipment (category_id, main_value)
  include (company_id, father_category_id, province_id, city_id, brand, month_price_fen, total_qty, taken, out_factory_date, emission_stage, rent_status, id)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
