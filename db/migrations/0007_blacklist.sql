create table blacklist (
  id bigint generated always as identity primary key,
  blacklist_code text not null unique,
  -- A company, one of its machines, or one of its people; the last two name the company as well.
  subject_kind text not null check (subject_kind in ('company', 'machine', 'person')),
  company_id bigint not null references company (id),
  equipment_id bigint references equipment (id),
  person_name text not null default '' check (length(person_name) <= 20),
  level smallint not null check (level between 1 and 3),
  -- It holds for this department and everything below; null for the whole platform.
  scope_dept_id bigint references dept (id),
  reason_code text not null check (reason_code in ('quit', 'forgery', 'accident', 'arrears', 'collusion', 'rent', 'other')),
  facts text not null check (length(facts) between 50 and 4000),
  emergency boolean not null default false,
  from_day date not null,
  to_day date not null,
  status text not null default '0' check (status in ('0', '1', '2', '3', '4', '5', '6')),
  proposer_id bigint not null references account (id),
  proposer_dept_id bigint references dept (id),
  notify_time timestamptz,
  answer_until timestamptz,
  answer text not null default '' check (length(answer) <= 4000),
  answer_time timestamptz,
  approver_id bigint references account (id),
  decide_time timestamptz,
  decide_note text not null default '' check (length(decide_note) <= 1000),
  create_time timestamptz not null,
  update_time timestamptz not null,
  version integer not null default 1,
  check (from_day < to_day and to_day <= from_day + 1096),
  check ((subject_kind = 'machine') = (equipment_id is not null)),
  check (approver_id is null or approver_id <> proposer_id)
);
create index blacklist_subject on blacklist (company_id, status);
create index blacklist_scope on blacklist (scope_dept_id, id desc);
create index blacklist_machine on blacklist (equipment_id) where equipment_id is not null;
create index blacklist_expiry on blacklist (to_day) where status in ('2', '3');

create table blacklist_file (
  blacklist_id bigint not null references blacklist (id) on delete cascade,
  file_id uuid not null references file (id),
  part text not null check (part in ('evidence', 'answer', 'appeal')),
  primary key (blacklist_id, file_id)
);
create index blacklist_file_file on blacklist_file (file_id);

create table blacklist_appeal (
  id bigint generated always as identity primary key,
  blacklist_id bigint not null references blacklist (id) on delete cascade,
  account_id bigint not null references account (id),
  content text not null check (length(content) between 10 and 4000),
  appeal_time timestamptz not null,
  upheld boolean,
  decided_by bigint references account (id),
  decide_time timestamptz,
  note text not null default '' check (length(note) <= 1000)
);
create index blacklist_appeal_entry on blacklist_appeal (blacklist_id, id);

create table blacklist_event (
  id bigint generated always as identity primary key,
  blacklist_id bigint not null references blacklist (id) on delete cascade,
  at timestamptz not null,
  account_id bigint references account (id),
  move text not null,
  note text not null default ''
);
create index blacklist_event_entry on blacklist_event (blacklist_id, id);

-- The heaviest level in force on a day for demands of a department; null when there is none.
create function blacklist_level(company bigint, dept bigint, day date) returns smallint
language sql stable parallel safe as $$
  select max(b.level) from blacklist b
  where b.company_id = company and b.subject_kind = 'company' and b.status in ('2', '3') and b.from_day <= day and b.to_day > day
    and (b.scope_dept_id is null or b.scope_dept_id = dept
      or exists (select 1 from dept d where d.id = dept and d.ancestors @> array[b.scope_dept_id]))
$$;

create function blacklist_machine_level(machine bigint, dept bigint, day date) returns smallint
language sql stable parallel safe as $$
  select max(b.level) from blacklist b
  where b.equipment_id = machine and b.status in ('2', '3') and b.from_day <= day and b.to_day > day
    and (b.scope_dept_id is null or b.scope_dept_id = dept
      or exists (select 1 from dept d where d.id = dept and d.ancestors @> array[b.scope_dept_id]))
$$;
