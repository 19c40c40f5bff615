-- Demands whose lessors are still to be told: written with the demand, taken by the clock. Due later where telling failed.
create table demand_notice (
  demand_id bigint primary key references demand (id) on delete cascade,
  due timestamptz not null
);
create index demand_notice_due on demand_notice (due);
