-- From the award to a contract that both sides hold.

-- When the award lapses unless its contracts have been sent. An award from before there were contracts has none and never lapses.
alter table award add column contract_due timestamptz;
alter table award add column due_moved_at timestamptz;
-- The lessor gave up the right to step back.
alter table quote add column accepted_at timestamptz;
alter table dept add column approves_contracts boolean not null default false;
-- Entry needs the sealed scan.
alter table dept add column needs_scan boolean not null default true;

create table contract (
  id bigint generated always as identity primary key,
  contract_code text not null unique,
  external_no text not null default '' check (length(external_no) <= 40),
  source text not null check (source in ('award', 'direct')),
  award_id bigint references award (id),
  demand_id bigint references demand (id),
  dept_id bigint not null references dept (id),
  lessee_company_id bigint not null references company (id),
  lessor_company_id bigint not null references company (id),
  title text not null check (length(title) between 4 and 60),
  province_id integer not null references region (code),
  city_id integer not null references region (code),
  district_id integer references region (code),
  address text not null check (length(address) between 2 and 200),
  plan_start date not null,
  plan_end date not null,
  clauses jsonb not null,
  -- Estimated: what the lessor invoices over the planned days.
  amount_fen bigint not null check (amount_fen >= 0),
  net_fen bigint not null check (net_fen >= 0),
  tax_fen bigint not null check (tax_fen >= 0),
  scale_lessee text check (scale_lessee in ('large', 'medium', 'small', 'micro', 'institution')),
  scale_lessor text check (scale_lessor in ('large', 'medium', 'small', 'micro', 'institution')),
  sme_rule boolean not null default false,
  -- One-year loan prime rate on the day of the confirmation, in basis points.
  lpr_bp integer check (lpr_bp between 1 and 3650),
  bank_name text not null default '' check (length(bank_name) <= 100),
  bank_account text not null default '' check (bank_account = '' or bank_account ~ '^\d{8,30}$'),
  approval text not null default '0' check (approval in ('0', '1', '2', '3')),
  approval_asked_by bigint references account (id),
  scan_state text not null default '0' check (scan_state in ('0', '1', '2')),
  scan_by text check (scan_by in ('lessee', 'lessor')),
  status text not null default '0' check (status in ('0', '1', '2', '3', '4', '5', '6', '7')),
  revision integer not null default 1,
  -- SHA-256 of the canonical text: of what was sent, then of what is in force.
  text_hash text check (text_hash ~ '^[0-9a-f]{64}$'),
  text text not null default '',
  sent_at timestamptz,
  returned_at timestamptz,
  confirmed_at timestamptz,
  ended_at timestamptz,
  -- The day on which the lessee was last reminded of a draft that is due.
  reminded_on date,
  end_reason text not null default '' check (length(end_reason) <= 500),
  search_text text not null default '',
  version integer not null default 1,
  create_time timestamptz not null,
  update_time timestamptz not null,
  check (plan_start < plan_end),
  check (net_fen + tax_fen = amount_fen),
  check ((source = 'award') = (award_id is not null)),
  check ((award_id is null) = (demand_id is null)),
  check (status = '0' or status = '7' or (text_hash is not null and sent_at is not null)),
  check (status in ('0', '1', '7') or confirmed_at is not null)
);
-- One live contract for each lessor of an award, whatever the clock and a person do at once.
create unique index contract_live on contract (award_id, lessor_company_id) where status <> '7';
create index contract_lessee on contract (dept_id, id desc);
create index contract_lessor on contract (lessor_company_id, id desc);
create index contract_demand on contract (demand_id);
create index contract_company on contract (lessee_company_id, id desc);

create table contract_line (
  id bigint generated always as identity primary key,
  contract_id bigint not null references contract (id) on delete cascade,
  line_no smallint not null,
  award_line_id bigint references award_line (id) on delete set null,
  category_id integer not null references category (id),
  name text not null check (length(name) <= 60),
  spec text not null default '' check (length(spec) <= 120),
  equipment_id bigint not null references equipment (id),
  is_lot boolean not null,
  qty numeric(12, 3) not null check (qty > 0),
  rent_unit text not null check (rent_unit in ('M', 'D', 'S', 'H', 'V', 'L', 'P')),
  unit_price_fen bigint not null check (unit_price_fen > 0),
  tax_rate smallint not null check (tax_rate in (13, 9, 6, 3, 1, 0)),
  invoice_kind text not null check (invoice_kind in ('special', 'plain')),
  includes_operator boolean not null,
  includes_fuel boolean not null,
  entry_fee_fen bigint not null default 0 check (entry_fee_fen >= 0),
  exit_fee_fen bigint not null default 0 check (exit_fee_fen >= 0),
  erection_fee_fen bigint not null default 0 check (erection_fee_fen >= 0),
  inspection_fee_fen bigint not null default 0 check (inspection_fee_fen >= 0),
  other_fee_fen bigint not null default 0 check (other_fee_fen >= 0),
  min_rent_days integer not null default 0 check (min_rent_days >= 0),
  est_quantity numeric(12, 3) check (est_quantity > 0),
  shift_mode text not null default 'single' check (shift_mode in ('single', 'double')),
  plan_start date not null,
  plan_end date not null,
  status text not null default '0' check (status in ('0', '1', '2', '3')),
  unique (contract_id, line_no),
  check (plan_start < plan_end)
);
create index contract_line_machine on contract_line (equipment_id);
create index contract_line_award on contract_line (award_line_id);

-- A booking belongs to the position of a contract from its draft on.
alter table equipment_booking add column contract_line_id bigint references contract_line (id) on delete set null;
create index equipment_booking_position on equipment_booking (contract_line_id) where contract_line_id is not null;
alter table equipment_booking drop constraint equipment_booking_reason_check;
alter table equipment_booking add constraint equipment_booking_reason_check check (reason in ('award', 'repair', 'own', 'reserved', 'contract'));

-- Who signs, accepts, logs and settles for a side. Where a side names nobody for a task, everybody with the permission may do it.
create table contract_person (
  contract_id bigint not null references contract (id) on delete cascade,
  side text not null check (side in ('lessee', 'lessor')),
  task text not null check (task in ('signer', 'acceptor', 'logger', 'settler')),
  account_id bigint not null references account (id),
  primary key (contract_id, side, task, account_id)
);
create index contract_person_account on contract_person (account_id);

-- What holds from which day on. The reckoning takes for each day the version in force on it.
create table contract_version (
  contract_id bigint not null references contract (id),
  revision integer not null,
  from_day date not null,
  clauses jsonb not null,
  lines jsonb not null,
  -- The whole text, so that what was agreed can be read and hashed again whatever the product says later.
  text text not null,
  text_hash text not null check (text_hash ~ '^[0-9a-f]{64}$'),
  at timestamptz not null,
  primary key (contract_id, revision)
);
create trigger contract_version_kept before update or delete on contract_version for each row execute function refuse_change();

create table contract_change (
  id bigint generated always as identity primary key,
  change_code text not null unique,
  contract_id bigint not null references contract (id),
  kind text not null check (kind in ('extend', 'shorten', 'price', 'quantity', 'clause', 'tax', 'account', 'terminate')),
  side text not null check (side in ('lessee', 'lessor')),
  account_id bigint not null references account (id),
  from_day date not null,
  reason text not null check (length(reason) between 2 and 500),
  input jsonb not null,
  status text not null default '0' check (status in ('0', '1', '2', '3', '4')),
  text_hash text check (text_hash ~ '^[0-9a-f]{64}$'),
  sent_at timestamptz,
  answered_at timestamptz,
  answered_by bigint references account (id),
  answer text not null default '' check (length(answer) <= 500),
  -- A new bank account holds a day later, when the lessee is told once more.
  effective_at timestamptz,
  applied_at timestamptz,
  version integer not null default 1,
  create_time timestamptz not null
);
create unique index contract_change_open on contract_change (contract_id) where status in ('0', '1');
create index contract_change_contract on contract_change (contract_id, id);
create index contract_change_waiting on contract_change (effective_at) where effective_at is not null and applied_at is null;

create table contract_file (
  contract_id bigint not null references contract (id) on delete cascade,
  kind text not null check (kind in ('form', 'scan')),
  file_id uuid not null references file (id),
  order_num smallint not null,
  primary key (contract_id, file_id)
);
create index contract_file_file on contract_file (file_id);

-- Everything that happened under a contract: its timeline and its chain of hashes, which begins with the last hash of its demand.
create table contract_event (
  id bigint generated always as identity primary key,
  contract_id bigint not null references contract (id),
  seq integer not null default 0,
  at timestamptz not null,
  account_id bigint references account (id),
  side text check (side in ('lessee', 'lessor')),
  move text not null,
  ref_kind text,
  ref_id bigint,
  from_status text,
  to_status text,
  digest text,
  note text not null default '',
  salt text not null default '',
  detail_hash text not null default '',
  hash text not null default ''
);
create unique index contract_event_chain on contract_event (contract_id, seq);

create function contract_event_detail(event contract_event) returns text
language sql stable as $$ select json_build_array(event.account_id, event.ref_id, event.note, event.salt)::text $$;

create function contract_event_text(event contract_event) returns text
language sql stable as $$
  select json_build_array(event.seq, event.contract_id, utc_text(event.at), event.move, event.from_status, event.to_status,
    event.digest, event.detail_hash, event.side, event.ref_kind)::text
$$;

create function chain_contract_event() returns trigger language plpgsql as $$
declare last record;
begin
  -- What is restored from a backup brings its place in the chain along.
  if new.hash <> '' then return new; end if;
  perform pg_advisory_xact_lock(7263544, new.contract_id::integer);
  select seq, hash into last from contract_event where contract_id = new.contract_id order by seq desc limit 1;
  new.seq := coalesce(last.seq, 0) + 1;
  new.salt := gen_random_uuid()::text;
  new.detail_hash := sha256_hex(contract_event_detail(new));
  new.hash := sha256_hex(coalesce(last.hash, '') || E'\n' || contract_event_text(new));
  return new;
end $$;
create trigger contract_event_chained before insert on contract_event for each row execute function chain_contract_event();
create trigger contract_event_kept before update or delete on contract_event for each row execute function refuse_change();

-- An award, or a lessor's part of it, that no contract followed, and who is to blame. It counts in their record.
create table award_lapse (
  id bigint generated always as identity primary key,
  demand_id bigint not null references demand (id),
  award_id bigint not null references award (id),
  quote_id bigint not null references quote (id),
  company_id bigint not null references company (id),
  qty integer not null check (qty >= 1),
  blame text not null check (blame in ('lessee', 'lessor', 'none')),
  at timestamptz not null
);
create index award_lapse_company on award_lapse (company_id);
create index award_lapse_demand on award_lapse (demand_id);

alter table sms_code drop constraint sms_code_type_check;
alter table sms_code add constraint sms_code_type_check check (type in ('login', 'register', 'forget', 'phone', 'cancel', 'sign'));
create index award_due on award (contract_due) where contract_due is not null;
alter table file drop constraint file_purpose_check;
alter table file add constraint file_purpose_check check (
  purpose in ('certification', 'blacklist', 'feedback', 'machineDocument', 'demandAttachment', 'machinePicture', 'article', 'contract')
);
