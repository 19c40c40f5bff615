-- The library of demands is asked for a period as well, so its indexes hold it.
drop index demand_library, demand_library_region, demand_status;
create index demand_library on demand ((status = '3') desc, publish_time desc, id desc) include (demand_type, status, plan_start, plan_end)
  where status in ('3', '4', '5', '6', '7', '9') and del_flag = '0';
create index demand_library_region on demand (province_id, (status = '3') desc, publish_time desc, id desc)
  include (city_id, demand_type, status, plan_start, plan_end)
  where status in ('3', '4', '5', '6', '7', '9') and del_flag = '0';
create index demand_status on demand (status, publish_time desc, id desc) include (demand_type, province_id, city_id, plan_start, plan_end) where del_flag = '0';
