-- Attempts at passwords and codes, each counted before it is checked. A key is a keyed hash, so the table names no account, phone or address.
create table attempt (
  key bytea primary key,
  -- The name that was tried, as a keyed hash. An operator who unlocks an account forgets the attempts at its names.
  subject bytea,
  since timestamptz not null,
  tries integer not null check (tries >= 0),
  -- How many of them were checked and wrong.
  failures integer not null default 0 check (failures >= 0)
);
create index attempt_subject on attempt (subject) where subject is not null;
create index attempt_since on attempt (since);

-- The devices that an account has signed in from.
create table device (
  account_id bigint not null references account (id) on delete cascade,
  device_hash bytea not null,
  seen_at timestamptz not null,
  primary key (account_id, device_hash)
);
alter table session add column device_hash bytea;

-- Numbers of phones stand here as keyed hashes only. Codes of the version before are of no use any more; that version may still write its
-- own while both run.
delete from sms_code;
delete from image_code;
alter table sms_code
  alter column phonenumber set default '',
  add column phone_hash bytea,
  -- The device that asked for the code: only it may use the code or use up its tries.
  add column requester bytea,
  -- Whether the owner of the number asked for it, from a device that they had signed in from.
  add column by_owner boolean not null default false;
create index sms_code_phone_hash on sms_code (phone_hash, created_at desc);

-- A notice names its account. Any other SMS has the number encrypted, beside a keyed hash by which it is found.
alter table outbox
  alter column phonenumber set default '',
  add column account_id bigint references account (id) on delete cascade,
  add column phone_sealed bytea,
  add column phone_hash bytea;
create index outbox_phone on outbox (phone_hash) where phone_hash is not null;
create index outbox_account on outbox (account_id) where account_id is not null;
update outbox set phonenumber = regexp_replace(phonenumber, '^(\d{3})\d+(\d{4})$', '\1****\2') where status = '1' or template <> 'notice';
update outbox set content = '' where template in ('code', 'firstPassword') and not exists (select 1 from setting where key = 'demo');
