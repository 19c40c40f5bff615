create table demand (
  id bigint generated always as identity primary key,
  demand_code text unique,
  demand_type text not null default '1' check (demand_type in ('1', '2', '3')),
  title text not null default '' check (length(title) <= 60),
  company_id bigint not null references company (id),
  dept_id bigint not null references dept (id),
  account_id bigint not null references account (id),
  project_name text not null default '',
  project_type text not null default '',
  province_id integer references region (code),
  city_id integer references region (code),
  district_id integer references region (code),
  address text not null default '',
  low_emission_zone boolean not null default false,
  contact_name text not null default '',
  contact_phone text not null default '',
  quote_deadline timestamptz,
  clarify_deadline timestamptz,
  sealed boolean not null default true,
  urgent boolean not null default false,
  method text not null default '1' check (method in ('1', '2', '3', '4')),
  min_quotes integer not null default 3 check (min_quotes between 1 and 20),
  payment jsonb not null default '{}',
  fuel_by text not null default 'lessee' check (fuel_by in ('lessor', 'lessee')),
  operator_by text not null default 'lessor' check (operator_by in ('lessor', 'lessee')),
  transport_by text not null default 'lessor' check (transport_by in ('lessor', 'lessee')),
  erection_by text not null default 'lessor' check (erection_by in ('lessor', 'lessee')),
  lodging_by text not null default 'lessee' check (lodging_by in ('lessor', 'lessee')),
  budget_fen bigint check (budget_fen >= 0),
  internal_reason text not null default '',
  terms text not null default '' check (length(terms) <= 2000),
  status text not null default '0' check (status in ('0', '1', '2', '3', '4', '5', '6', '7', '8', '9')),
  status_reason text not null default '' check (length(status_reason) <= 500),
  revision integer not null default 1,
  draft jsonb,
  version integer not null default 1,
  plan_start date,
  plan_end date,
  quote_count integer not null default 0,
  search_text text not null default '',
  search_grams text[] generated always as (search_grams(search_text)) stored,
  publish_time timestamptz,
  open_time timestamptz,
  create_time timestamptz not null default now(),
  update_time timestamptz not null default now(),
  del_flag text not null default '0' check (del_flag in ('0', '2')),
  -- A draft may hold anything half-typed in draft; what has left the draft is whole.
  check (status = '0' or (demand_code is not null and length(title) >= 4 and province_id is not null
    and quote_deadline is not null and publish_time is not null and plan_start < plan_end)),
  check (clarify_deadline is null or clarify_deadline < quote_deadline)
);
create index demand_search on demand using gin (search_grams);
create index demand_public on demand (publish_time desc, id desc) where status in ('3', '4', '5', '6', '7', '9') and demand_type = '1' and del_flag = '0';
create index demand_status on demand (status, publish_time desc) where del_flag = '0';
create index demand_region on demand (province_id, city_id, publish_time desc) where status <> '0' and del_flag = '0';
create index demand_due on demand (quote_deadline) where status = '3';
create index demand_dept on demand (dept_id, status, id desc);
create index demand_company on demand (company_id, status, id desc);

create table demand_item (
  id bigint generated always as identity primary key,
  demand_id bigint not null references demand (id) on delete cascade,
  line_no smallint not null,
  father_category_id integer not null references category (id),
  category_id integer not null references category (id),
  spec_requirements jsonb not null default '[]',
  -- The requirement on the category's main parameter, as columns so that matching can use an index.
  main_rule text check (main_rule in ('ge', 'le', 'eq')),
  main_value numeric(14, 3),
  brand_preference text not null default '',
  max_age_years smallint check (max_age_years between 1 and 30),
  min_emission text check (min_emission in ('2', '3', '4', 'electric')),
  qty integer not null check (qty between 1 and 999),
  plan_start date not null,
  plan_end date not null,
  rent_unit text not null check (rent_unit in ('M', 'D', 'S', 'H', 'V', 'L', 'P')),
  est_quantity numeric(12, 3) check (est_quantity > 0),
  shift_mode text not null default 'single' check (shift_mode in ('single', 'double')),
  price_ceiling_fen bigint check (price_ceiling_fen > 0),
  remark text not null default '' check (length(remark) <= 500),
  unique (demand_id, line_no),
  check (plan_start < plan_end)
);
create index demand_item_category on demand_item (category_id);

create table demand_invite (
  demand_id bigint not null references demand (id) on delete cascade,
  company_id bigint not null references company (id),
  primary key (demand_id, company_id)
);
create index demand_invite_company on demand_invite (company_id);

create table demand_attachment (
  demand_id bigint not null references demand (id) on delete cascade,
  file_id uuid not null references file (id),
  order_num smallint not null,
  primary key (demand_id, file_id)
);
create index demand_attachment_file on demand_attachment (file_id);

-- Everything that happened to a demand, its quotes and its award: the timeline and the audit.
create table demand_event (
  id bigint generated always as identity primary key,
  demand_id bigint not null references demand (id) on delete cascade,
  quote_id bigint,
  at timestamptz not null,
  account_id bigint references account (id),
  move text not null,
  from_status text,
  to_status text,
  note text not null default ''
);
create index demand_event_timeline on demand_event (demand_id, id);

create table contact_look (
  account_id bigint not null references account (id),
  demand_id bigint not null references demand (id),
  at timestamptz not null
);
create index contact_look_account on contact_look (account_id, at);

create table quote (
  id bigint generated always as identity primary key,
  quote_code text not null unique,
  demand_id bigint not null references demand (id),
  demand_revision integer not null,
  company_id bigint not null references company (id),
  account_id bigint not null references account (id),
  contact_name text not null,
  contact_phone text not null,
  valid_until date not null,
  status text not null check (status in ('1', '2', '3', '4', '6', '7', '8', '9', '10')),
  -- AES-256-GCM of the offer (prices, machines, note) under a key derived for the demand from a secret that is not in
  -- the database; kept after opening so that the receipt can be checked. seal_hash is SHA-256 of the clear offer.
  sealed_offer bytea not null,
  seal_hash text not null,
  note text not null default '',
  lose_reason text check (lose_reason in ('price', 'spec', 'time', 'papers', 'rating', 'other')),
  submit_time timestamptz not null,
  open_time timestamptz,
  create_time timestamptz not null default now(),
  update_time timestamptz not null default now(),
  version integer not null default 1
);
-- One live quote for each lessor and demand, whatever two tabs do at once.
create unique index quote_live on quote (demand_id, company_id) where status not in ('2', '9');
create index quote_company on quote (company_id, id desc);
create index quote_demand on quote (demand_id, id);

create table quote_line (
  id bigint generated always as identity primary key,
  quote_id bigint not null references quote (id) on delete cascade,
  demand_item_id bigint not null references demand_item (id),
  qty integer not null check (qty >= 1),
  unit_price_fen bigint not null check (unit_price_fen > 0),
  rent_unit text not null,
  includes_operator boolean not null,
  includes_fuel boolean not null,
  entry_fee_fen bigint not null default 0 check (entry_fee_fen >= 0),
  exit_fee_fen bigint not null default 0 check (exit_fee_fen >= 0),
  erection_fee_fen bigint not null default 0 check (erection_fee_fen >= 0),
  inspection_fee_fen bigint not null default 0 check (inspection_fee_fen >= 0),
  other_fee_fen bigint not null default 0 check (other_fee_fen >= 0),
  tax_rate smallint not null check (tax_rate in (13, 9, 6, 3, 1, 0)),
  invoice_kind text not null check (invoice_kind in ('special', 'plain')),
  min_rent_days integer not null default 0 check (min_rent_days >= 0),
  earliest_entry date not null,
  deviation text not null default '',
  ceiling_reason text not null default '',
  promises_renewal boolean not null default false,
  unique (quote_id, demand_item_id)
);
create index quote_line_item on quote_line (demand_item_id);

create table quote_line_equipment (
  quote_line_id bigint not null references quote_line (id) on delete cascade,
  equipment_id bigint not null references equipment (id),
  qty integer not null check (qty >= 1),
  primary key (quote_line_id, equipment_id)
);
create index quote_line_equipment_machine on quote_line_equipment (equipment_id);

-- A demand is awarded once.
create table award (
  id bigint generated always as identity primary key,
  demand_id bigint not null unique references demand (id),
  account_id bigint not null references account (id),
  at timestamptz not null,
  net_fen bigint not null
);

create table award_line (
  id bigint generated always as identity primary key,
  award_id bigint not null references award (id) on delete cascade,
  demand_item_id bigint not null references demand_item (id),
  quote_line_id bigint not null references quote_line (id),
  company_id bigint not null references company (id),
  qty integer not null check (qty >= 1),
  net_fen bigint not null,
  reason text not null default '',
  unique (demand_item_id, quote_line_id)
);
create index award_line_award on award_line (award_id);
create index award_line_company on award_line (company_id);
alter table equipment_booking add foreign key (award_line_id) references award_line (id);
