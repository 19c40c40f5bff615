-- Approval before publishing and before an award is switched on at a unit and holds for everything below it.
alter table dept add column approves_demands boolean not null default false;
alter table dept add column approves_awards boolean not null default false;

alter table demand add column show_ceiling boolean not null default true;
-- The demand whose unawarded rest this one asks for again.
alter table demand add column source_id bigint references demand (id);
create index demand_source on demand (source_id) where source_id is not null;
-- When the deadline passed with fewer quotes than asked for, the owner decides; the clock opens it after that.
alter table demand add column few_told_at timestamptz;

create table demand_question (
  id bigint generated always as identity primary key,
  demand_id bigint not null references demand (id) on delete cascade,
  company_id bigint not null references company (id),
  account_id bigint not null references account (id),
  content text not null check (length(content) between 2 and 500),
  ask_time timestamptz not null,
  answer text not null default '' check (length(answer) <= 1000),
  answer_account_id bigint references account (id),
  answer_time timestamptz
);
create index demand_question_demand on demand_question (demand_id, id);

-- What somebody chose, waiting for the approval of the unit above.
create table award_request (
  id bigint generated always as identity primary key,
  demand_id bigint not null references demand (id),
  account_id bigint not null references account (id),
  input jsonb not null,
  net_fen bigint not null,
  status text not null default '1' check (status in ('1', '2', '3')),
  request_time timestamptz not null,
  decided_by bigint references account (id),
  decide_time timestamptz,
  reason text not null default '' check (length(reason) <= 500)
);
create index award_request_demand on award_request (demand_id, id);
create unique index award_request_waiting on award_request (demand_id) where status = '1';
