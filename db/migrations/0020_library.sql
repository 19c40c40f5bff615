-- The library of demands: of one status, of a region and of all, in order and counted without reading the demands.
drop index demand_status;
create index demand_status on demand (status, publish_time desc, id desc) include (demand_type, province_id, city_id)
  where del_flag = '0';
drop index demand_library;
create index demand_library on demand ((status = '3') desc, publish_time desc, id desc) include (demand_type, status)
  where status in ('3', '4', '5', '6', '7', '9') and del_flag = '0';
drop index demand_library_region;
create index demand_library_region on demand (province_id, (status = '3') desc, publish_time desc, id desc) include (city_id, demand_type, status)
  where status in ('3', '4', '5', '6', '7', '9') and del_flag = '0';
