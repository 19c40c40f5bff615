-- The figure of awarded demands is counted from the index of the period, without reading each demand (src/server/statistics/report.ts).
drop index demand_published, demand_by_publishing;
create index demand_published on demand (dept_id, publish_time)
  include (id, status, quote_count, open_time, province_id, line_count, awarded_net_fen, awarded_on_ceiling, awarded_on_mean)
  where status not in ('0', '1', '2') and del_flag = '0';
create index demand_by_publishing on demand (company_id, publish_time, id)
  include (dept_id, status, open_time, province_id, awarded_net_fen, awarded_on_ceiling, awarded_on_mean) where status <> '0' and del_flag = '0';
