-- The operator console: duties, the audit log with its chain, what the people who run the platform do day by day.

alter table account add column duties text[] not null default '{}'
  check (duties <@ array['certification', 'equipment', 'content', 'people', 'blacklist', 'settings', 'system']);
-- Who ran the platform before there were duties keeps all of them.
update account set is_admin = true,
  duties = array['certification', 'equipment', 'content', 'people', 'blacklist', 'settings', 'system'] where user_type = '9';
create index account_staff on account (id) where user_type in ('8', '9') and del_flag = '0';
create index account_newest on account (id desc) where del_flag = '0';

-- A company that is locked: nobody of it comes in, nothing of it is on the shelf.
alter table company add column status text not null default '0' check (status in ('0', '1'));
alter table company add column lock_reason text not null default '' check (length(lock_reason) <= 500);

-- On the shelf since it was submitted, by the grade of its company; the operator looks at it afterwards.
alter table equipment add column trusted boolean not null default false;
create index equipment_trusted on equipment (submit_time, id) where trusted and del_flag = '0';
-- Why the platform took it off the shelf.
alter table equipment add column off_reason text not null default '' check (length(off_reason) <= 500);

create sequence category_number start with 90001;

alter table article add column account_id bigint references account (id);
alter table article add column version integer not null default 1;
alter table article add column create_time timestamptz not null default now();
alter table article add column update_time timestamptz not null default now();
create index article_all on article (id desc);
create index article_coming on article (publish_time) where status = '1';
create table article_image (
  article_id bigint not null references article (id) on delete cascade,
  file_id uuid not null references file (id),
  primary key (article_id, file_id)
);
create index article_image_file on article_image (file_id);

create table broadcast (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id),
  title text not null check (length(title) between 2 and 80),
  content text not null check (length(content) between 2 and 1000),
  link text not null default '' check (length(link) <= 200),
  -- {roles, provinceIds, companyIds}; an empty list narrows nothing.
  audience jsonb not null,
  people integer not null check (people > 0),
  at timestamptz not null
);

alter table contact add column note text not null default '' check (length(note) <= 500);
alter table contact add column handled_by bigint references account (id);
alter table contact add column handle_time timestamptz;
create index contact_waiting on contact (status, id desc);

-- 4: the operator refused what had been held up.
alter table cancellation add column note text not null default '' check (length(note) <= 500);
create index cancellation_list on cancellation (status, requested_at);

-- What runs on a clock: last run and failures.
create table job_run (
  name text primary key,
  started_at timestamptz,
  finished_at timestamptz,
  duration_ms integer not null default 0,
  runs bigint not null default 0,
  failures bigint not null default 0,
  last_error text not null default '',
  last_error_at timestamptz,
  detail text not null default ''
);

create function sha256_hex(content text) returns text
language sql immutable parallel safe as $$ select encode(sha256(convert_to(content, 'UTF8')), 'hex') $$;

create function utc_text(moment timestamptz) returns text
language sql stable parallel safe as $$ select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') $$;

-- The audit log: who did what, when, with what before and after, why. Each entry holds the hash of itself and of the one
-- before it, so a changed byte, or a missing entry, shows; entries are only added.
create table audit_log (
  seq bigint primary key default 0,
  at timestamptz not null,
  account_id bigint references account (id),
  who text not null,
  action text not null,
  biz_type text not null,
  biz_id text not null,
  biz_name text not null default '',
  company_id bigint references company (id),
  before jsonb,
  after jsonb,
  reason text not null default '',
  address text not null default '',
  hash text not null default ''
);
create index audit_log_thing on audit_log (biz_type, biz_id, seq desc);
create index audit_log_who on audit_log (who, seq desc);
create index audit_log_action on audit_log (action, seq desc);
create index audit_log_company on audit_log (company_id, seq desc) where company_id is not null;
create index audit_log_at on audit_log (at);

create function audit_text(entry audit_log) returns text
language sql stable as $$
  select json_build_array(entry.seq, utc_text(entry.at), entry.account_id, entry.who, entry.action, entry.biz_type, entry.biz_id,
    entry.biz_name, entry.company_id, entry.before::text, entry.after::text, entry.reason, entry.address)::text
$$;

create function chain_audit_log() returns trigger language plpgsql as $$
declare last record;
begin
  -- What is restored from a backup brings its place in the chain along.
  if new.hash <> '' then return new; end if;
  perform pg_advisory_xact_lock(7263542);
  select seq, hash into last from audit_log order by seq desc limit 1;
  new.seq := coalesce(last.seq, 0) + 1;
  new.hash := sha256_hex(coalesce(last.hash, '') || E'\n' || audit_text(new));
  return new;
end $$;
create trigger audit_log_chain before insert on audit_log for each row execute function chain_audit_log();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'entries of % are only added', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger audit_log_kept before update or delete on audit_log for each row execute function refuse_change();

-- The chain of each demand. What everybody concerned may read is hashed as it is; who did it, for which quote, and the note
-- go in as a commitment (detail_hash, salted), so that a lessor can check the chain without learning them.
alter table demand_event add column seq integer not null default 0;
alter table demand_event add column digest text;
alter table demand_event add column salt text not null default '';
alter table demand_event add column detail_hash text not null default '';
alter table demand_event add column hash text not null default '';

create function demand_event_detail(event demand_event) returns text
language sql stable as $$ select json_build_array(event.account_id, event.quote_id, event.note, event.salt)::text $$;

create function demand_event_text(event demand_event) returns text
language sql stable as $$
  select json_build_array(event.seq, event.demand_id, utc_text(event.at), event.move, event.from_status, event.to_status,
    event.digest, event.detail_hash)::text
$$;

create function chain_demand_event() returns trigger language plpgsql as $$
declare last record;
begin
  if new.hash <> '' then return new; end if;
  perform pg_advisory_xact_lock(7263543, new.demand_id::integer);
  select seq, hash into last from demand_event where demand_id = new.demand_id order by seq desc limit 1;
  new.seq := coalesce(last.seq, 0) + 1;
  new.salt := gen_random_uuid()::text;
  new.detail_hash := sha256_hex(demand_event_detail(new));
  new.hash := sha256_hex(coalesce(last.hash, '') || E'\n' || demand_event_text(new));
  return new;
end $$;

-- What happened before there was a chain is chained as it stands; receipts of quotes are on the quotes.
do $$
declare one demand_event; of_demand bigint := 0; place integer := 0; last_hash text := '';
begin
  for one in select * from demand_event order by demand_id, id loop
    if one.demand_id <> of_demand then
      of_demand := one.demand_id;
      place := 0;
      last_hash := '';
    end if;
    place := place + 1;
    one.seq := place;
    if one.move in ('quote', 'change') and not exists (
      select 1 from demand_event later where later.quote_id = one.quote_id and later.id > one.id and later.move = 'change') then
      one.digest := (select q.seal_hash from quote q where q.id = one.quote_id);
    end if;
    one.salt := gen_random_uuid()::text;
    one.detail_hash := sha256_hex(demand_event_detail(one));
    last_hash := sha256_hex(last_hash || E'\n' || demand_event_text(one));
    update demand_event set seq = one.seq, digest = one.digest, salt = one.salt, detail_hash = one.detail_hash, hash = last_hash where id = one.id;
  end loop;
end $$;
create unique index demand_event_chain on demand_event (demand_id, seq);
create trigger demand_event_chained before insert on demand_event for each row execute function chain_demand_event();
create trigger demand_event_kept before update on demand_event for each row execute function refuse_change();

-- The key of a demand's sealed offers, released when they are opened and not before.
alter table demand add column seal_key bytea;

-- How many have read a broadcast.
create index message_broadcast on message (biz_id) where biz_type = 'broadcast';
