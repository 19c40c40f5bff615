-- A demand is published by its project or by whoever approves it. Before, and where it was cancelled before, it has no such moment: no figure counts it.
alter table demand drop constraint if exists demand_check, drop constraint if exists demand_whole;
alter table demand add constraint demand_whole check (status = '0' or (demand_code is not null and length(title) >= 4 and province_id is not null
  and quote_deadline is not null and (publish_time is not null or status in ('1', '2', '8')) and plan_start < plan_end));
update demand set publish_time = null where status in ('1', '2') or (status = '8'
  and not exists (select from demand_event e where e.demand_id = demand.id and e.move in ('publish', 'approve')));
