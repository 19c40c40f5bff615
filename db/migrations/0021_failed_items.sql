-- What of a job's work failed: when it is tried again, or since when it is set aside for the operator. What is due is found by the
-- job in its own tables; a row here only holds it back.
create table failed_item (
  job text not null,
  key text not null,
  tries smallint not null check (tries > 0),
  last_error text not null,
  failed_at timestamptz not null,
  due timestamptz not null,
  set_aside_at timestamptz,
  primary key (job, key)
);

-- What the notice's sentence was made of. Null in rows of the version before, which may still write them while both run.
alter table outbox add column params jsonb;
-- The provider's own id of what it took.
alter table outbox add column provider_id text not null default '';
-- One that failed is tried again; until now it waited for the operator, and what did goes on waiting for them.
drop index outbox_waiting;
create index outbox_waiting on outbox (not_before) where status <> '1';
insert into failed_item (job, key, tries, last_error, failed_at, due, set_aside_at)
  select 'sendSms', id::text, 1, error, create_time, create_time, create_time from outbox where status = '2' and template = 'notice';
