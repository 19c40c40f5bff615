-- What the clock did about machines and their lessor has still to hear: all of one company and kind goes out in one message.
create table machine_notice (
  id bigint generated always as identity primary key,
  company_id bigint not null references company (id) on delete cascade,
  equipment_id bigint not null references equipment (id) on delete cascade,
  kind text not null check (kind in ('machineUnconfirmed', 'equipmentOff', 'paperExpiring')),
  params jsonb not null
);
create index machine_notice_waiting on machine_notice (company_id, kind);
