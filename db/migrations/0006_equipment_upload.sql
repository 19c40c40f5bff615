alter table equipment add column plate_no text check (length(plate_no) <= 12);
alter table equipment add column vin text check (length(vin) <= 17);
-- Special equipment: device code, use registration and its office. Building lifting: filing number and its office.
alter table equipment add column device_code text not null default '';
alter table equipment add column registration_no text not null default '';
alter table equipment add column registration_office text not null default '';
alter table equipment add column filing_no text not null default '';
alter table equipment add column filing_office text not null default '';
alter table equipment add column original_value_fen bigint check (original_value_fen >= 0);
alter table equipment add column rent_cycles text[] not null default '{}';
alter table equipment add column transport_note text not null default '' check (length(transport_note) <= 200);
alter table equipment add column audit_reason text not null default '' check (length(audit_reason) <= 500);
alter table equipment add column submit_time timestamptz;
alter table equipment add column account_id bigint references account (id);
alter table equipment add column import_id bigint;
create index equipment_waiting on equipment (submit_time, id) where audit_status = '1' and del_flag = '0';
-- The same machine offered by two: found by brand and number over the whole platform.
create index equipment_same_number on equipment (brand, factory_no) where factory_no is not null and del_flag = '0';

alter table equipment_price add column shift_mode text not null default 'single' check (shift_mode in ('single', 'double'));
alter table equipment_price add column min_rent_days smallint not null default 0 check (min_rent_days between 0 and 3650);
alter table equipment_price add column valid_to date;

alter table equipment_booking add column note text not null default '' check (length(note) <= 200);
alter table equipment_booking add column block_id uuid;
create index equipment_booking_block on equipment_booking (equipment_id, block_id) where block_id is not null;

-- A change of key fields of a machine that has passed: the old stays public until it is decided.
create table equipment_change (
  id bigint generated always as identity primary key,
  equipment_id bigint not null references equipment (id),
  account_id bigint not null references account (id),
  before jsonb not null,
  after jsonb not null,
  status text not null default '1' check (status in ('1', '2', '3', '4')),
  submit_time timestamptz not null,
  decided_by bigint references account (id),
  decide_time timestamptz,
  reason text not null default '' check (length(reason) <= 500)
);
create unique index equipment_change_waiting on equipment_change (equipment_id) where status = '1';
create index equipment_change_machine on equipment_change (equipment_id, id);
create index equipment_change_queue on equipment_change (submit_time, id) where status = '1';

create table equipment_event (
  id bigint generated always as identity primary key,
  equipment_id bigint not null references equipment (id) on delete cascade,
  at timestamptz not null,
  account_id bigint references account (id),
  move text not null,
  note text not null default ''
);
create index equipment_event_machine on equipment_event (equipment_id, id);

create table equipment_import (
  id bigint generated always as identity primary key,
  company_id bigint not null references company (id),
  account_id bigint not null references account (id),
  father_category_id integer not null references category (id),
  file_name text not null check (length(file_name) <= 100),
  create_time timestamptz not null,
  undo_time timestamptz
);
create index equipment_import_company on equipment_import (company_id, id desc);
alter table equipment add foreign key (import_id) references equipment_import (id);
create index equipment_import_machines on equipment (import_id) where import_id is not null;

create table equipment_import_row (
  import_id bigint not null references equipment_import (id) on delete cascade,
  -- As in the workbook.
  row_no integer not null,
  cells jsonb not null,
  equipment_id bigint references equipment (id) on delete set null,
  primary key (import_id, row_no)
);
