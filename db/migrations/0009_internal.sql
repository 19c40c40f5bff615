-- Idle machines that units of a group offer each other before anybody rents outside (先内后外).
create table internal_machine (
  id bigint generated always as identity primary key,
  dept_id bigint not null references dept (id),
  account_id bigint not null references account (id),
  father_category_id integer not null references category (id),
  category_id integer not null references category (id),
  name text not null check (length(name) between 2 and 60),
  brand text not null default '' check (length(brand) <= 40),
  model text not null default '' check (length(model) <= 40),
  specs jsonb not null default '{}',
  main_value numeric(14, 3),
  emission_stage text not null default 'none' check (emission_stage in ('1', '2', '3', '4', 'electric', 'none')),
  province_id integer not null references region (code),
  city_id integer not null references region (code),
  place text not null default '' check (length(place) <= 100),
  -- For a month; null is free of charge.
  inner_price_fen bigint check (inner_price_fen > 0),
  free_from date not null,
  free_to date not null,
  note text not null default '' check (length(note) <= 500),
  status text not null default '1' check (status in ('0', '1')),
  create_time timestamptz not null,
  update_time timestamptz not null,
  version integer not null default 1,
  del_flag text not null default '0' check (del_flag in ('0', '2')),
  check (free_from < free_to)
);
create index internal_machine_idle on internal_machine (category_id, dept_id) where status = '1' and del_flag = '0';
create index internal_machine_dept on internal_machine (dept_id, id desc);

create table internal_transfer (
  id bigint generated always as identity primary key,
  transfer_code text not null unique,
  internal_machine_id bigint not null references internal_machine (id),
  demand_id bigint references demand (id),
  from_dept_id bigint not null references dept (id),
  to_dept_id bigint not null references dept (id),
  period daterange not null check (not isempty(period)),
  transport_by text not null default 'to' check (transport_by in ('from', 'to')),
  transport_fen bigint not null default 0 check (transport_fen >= 0),
  inner_price_fen bigint,
  status text not null default '0' check (status in ('0', '1', '2', '3', '4')),
  note text not null default '' check (length(note) <= 500),
  reason text not null default '' check (length(reason) <= 500),
  account_id bigint not null references account (id),
  create_time timestamptz not null,
  update_time timestamptz not null,
  -- A machine goes to one place at a time, whoever agrees first.
  constraint internal_transfer_overlap exclude using gist (internal_machine_id with =, period with &&) where (status in ('1', '2'))
);
create index internal_transfer_from on internal_transfer (from_dept_id, id desc);
create index internal_transfer_to on internal_transfer (to_dept_id, id desc);

alter table demand add column internal_check jsonb not null default '[]';

-- The organisation's list of ceilings: the dimensions of a contractor's price list.
create table price_ceiling (
  id bigint generated always as identity primary key,
  dept_id bigint not null references dept (id),
  category_id integer not null references category (id),
  main_min numeric(14, 3),
  main_max numeric(14, 3),
  province_id integer references region (code),
  rent_unit text not null check (rent_unit in ('M', 'D', 'S', 'H', 'V', 'L', 'P')),
  shift_mode text not null default 'single' check (shift_mode in ('single', 'double')),
  with_operator boolean not null default true,
  fuel_by text not null default 'lessee' check (fuel_by in ('lessor', 'lessee')),
  -- Hires of six months and more.
  long_term boolean not null default false,
  price_fen bigint not null check (price_fen > 0),
  from_day date not null,
  to_day date,
  account_id bigint not null references account (id),
  update_time timestamptz not null,
  version integer not null default 1,
  check (to_day is null or from_day < to_day)
);
create index price_ceiling_lookup on price_ceiling (category_id, dept_id);
