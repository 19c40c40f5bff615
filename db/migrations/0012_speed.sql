-- Lists of a million rows: an index holds each usual filter in the order of the list, with what else is filtered by, so
-- that a page and its count are found without reading the rows.
drop index equipment_newest;
create index equipment_newest on equipment (id desc) include (month_price_fen, brand)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
drop index equipment_region;
create index equipment_region on equipment (province_id, category_id, id desc) include (city_id, month_price_fen, brand)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
drop index equipment_category;
create index equipment_category on equipment (category_id, id desc) include (month_price_fen, brand)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
drop index equipment_father;
create index equipment_father on equipment (father_category_id, id desc) include (month_price_fen, brand, total_qty)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
create index equipment_city on equipment (city_id, id desc) include (category_id, month_price_fen)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
drop index equipment_by_price;
create index equipment_cheapest on equipment (month_price_fen, id desc)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
create index equipment_dearest on equipment (month_price_fen desc nulls last, id desc)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
-- Machines like this one, and those that fit a demand: by the main parameter, here and anywhere.
create index equipment_like on equipment (category_id, main_value) include (company_id, emission_stage, rent_status, total_qty, id)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
create index equipment_like_here on equipment (category_id, province_id, main_value)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';

-- The library: what takes quotes first, then the newest.
drop index demand_public;
create index demand_library on demand ((status = '3') desc, publish_time desc, id desc) include (demand_type)
  where status in ('3', '4', '5', '6', '7', '9') and del_flag = '0';
create index demand_library_region on demand (province_id, (status = '3') desc, publish_time desc, id desc) include (city_id, demand_type)
  where status in ('3', '4', '5', '6', '7', '9') and del_flag = '0';

create index company_library on company (grade, id desc)
  where is_lessor and lessor_audit = '2' and status = '0' and blacklisted_at is null and del_flag = '0';
