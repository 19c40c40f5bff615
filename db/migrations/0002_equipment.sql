create table equipment (
  id bigint generated always as identity primary key,
  equipment_code text not null unique,
  company_id bigint not null references company (id),
  father_category_id integer not null references category (id),
  category_id integer not null references category (id),
  name text not null check (length(name) between 2 and 60),
  brand text not null check (length(brand) <= 40),
  model text not null check (length(model) <= 40),
  specs jsonb not null default '{}',
  main_value numeric(14, 3),
  factory_no text,
  out_factory_date date not null,
  manufacturer text not null default '',
  work_hours numeric(10, 1),
  ownership text not null default 'own' check (ownership in ('own', 'lease', 'agent', 'sublet')),
  emission_stage text not null default 'none' check (emission_stage in ('1', '2', '3', '4', 'electric', 'none')),
  env_code text,
  province_id integer not null references region (code),
  city_id integer not null references region (code),
  district_id integer references region (code),
  yard_address text not null default '',
  description text not null default '' check (length(description) <= 2000),
  is_lot boolean not null default false,
  total_qty integer not null default 1 check (total_qty between 1 and 9999),
  audit_status text not null default '0' check (audit_status in ('0', '1', '2', '3')),
  shelf_status text not null default '0' check (shelf_status in ('0', '1', '2')),
  rent_status text not null default '0' check (rent_status in ('0', '1', '2', '3', '4')),
  month_price_fen bigint check (month_price_fen > 0),
  confirmed_at timestamptz not null default now(),
  search_text text not null default '',
  search_grams text[] generated always as (search_grams(search_text)) stored,
  create_time timestamptz not null default now(),
  update_time timestamptz not null default now(),
  version integer not null default 1,
  del_flag text not null default '0' check (del_flag in ('0', '2')),
  check (is_lot or total_qty = 1),
  check (shelf_status <> '1' or audit_status = '2')
);
create unique index equipment_factory_no on equipment (brand, factory_no, company_id) where factory_no is not null and del_flag = '0';
create index equipment_search on equipment using gin (search_grams);
create index equipment_newest on equipment (id desc) where audit_status = '2' and shelf_status = '1' and del_flag = '0';
create index equipment_region on equipment (province_id, category_id, id desc) where audit_status = '2' and shelf_status = '1' and del_flag = '0';
create index equipment_category on equipment (category_id, id desc) where audit_status = '2' and shelf_status = '1' and del_flag = '0';
create index equipment_father on equipment (father_category_id, id desc) where audit_status = '2' and shelf_status = '1' and del_flag = '0';
create index equipment_by_price on equipment (month_price_fen) where audit_status = '2' and shelf_status = '1' and del_flag = '0';
create index equipment_company on equipment (company_id, category_id, id desc);

create table equipment_price (
  equipment_id bigint not null references equipment (id) on delete cascade,
  rent_unit text not null check (rent_unit in ('M', 'D', 'S', 'H', 'V', 'L', 'P')),
  price_fen bigint check (price_fen > 0 and price_fen <= 999999999),
  with_operator boolean not null default false,
  fuel_by text not null default 'lessee' check (fuel_by in ('lessor', 'lessee', 'none')),
  tax_rate smallint not null default 13 check (tax_rate in (13, 9, 6, 3, 1, 0)),
  primary key (equipment_id, rent_unit)
);

create table equipment_document (
  id bigint generated always as identity primary key,
  equipment_id bigint not null references equipment (id) on delete cascade,
  kind text not null,
  number text not null default '',
  issued_by text not null default '',
  valid_to date,
  file_id uuid references file (id)
);
create index equipment_document_machine on equipment_document (equipment_id);

create table equipment_image (
  equipment_id bigint not null references equipment (id) on delete cascade,
  file_id uuid not null references file (id),
  order_num integer not null,
  primary key (equipment_id, file_id)
);

-- One row books one unit of a machine for the half-open period [from, to). A machine is its own only slot;
-- a lot of n has the slots 1..n. The exclusion is the last guard against letting the same machine twice.
create table equipment_booking (
  id bigint generated always as identity primary key,
  equipment_id bigint not null references equipment (id),
  slot integer not null default 1 check (slot >= 1),
  period daterange not null check (not isempty(period) and not lower_inf(period)),
  reason text not null check (reason in ('award', 'repair', 'own', 'reserved')),
  award_line_id bigint,
  create_time timestamptz not null default now(),
  constraint equipment_booking_overlap exclude using gist (equipment_id with =, slot with =, period with &&)
);
