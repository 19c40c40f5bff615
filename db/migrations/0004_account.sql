-- Accounts from registration to cancellation, certification, feedback, subscriptions, favourites.

alter table account add column terms_at timestamptz;
-- A first password that somebody else chose must be changed.
alter table account add column must_change_password boolean not null default false;

create table password_history (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id) on delete cascade,
  password_hash text not null,
  at timestamptz not null
);
create index password_history_account on password_history (account_id, id desc);

-- A session has a number, so that its person can end it without knowing its token, and may stand in another project.
alter table session add column id bigint generated always as identity unique;
alter table session add column dept_id bigint references dept (id);

create table sign_in (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id) on delete cascade,
  at timestamptz not null,
  way text not null check (way in ('password', 'sms', 'register', 'switch')),
  succeeded boolean not null,
  address text not null default '',
  agent text not null default ''
);
create index sign_in_account on sign_in (account_id, id desc);

create table sms_code (
  id bigint generated always as identity primary key,
  phonenumber text not null,
  type text not null check (type in ('login', 'register', 'forget', 'phone', 'cancel')),
  answer_hash bytea not null,
  address text not null default '',
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sms_code_phone on sms_code (phonenumber, created_at desc);
create index sms_code_address on sms_code (address, created_at desc);

-- Every SMS that leaves or would leave. With a real provider the code itself is not kept.
create table outbox (
  id bigint generated always as identity primary key,
  phonenumber text not null,
  template text not null,
  content text not null,
  provider text not null,
  status text not null default '0' check (status in ('0', '1', '2')),
  error text not null default '',
  create_time timestamptz not null,
  not_before timestamptz not null,
  sent_time timestamptz
);
create index outbox_waiting on outbox (not_before) where status = '0';

create table certification (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id) on delete cascade,
  kind text not null check (kind in ('rentout', 'lease', 'dept')),
  status text not null default '0' check (status in ('0', '1', '2', '3', '4', '5', '6')),
  form jsonb not null default '{}',
  -- What was last passed: stays in force while a change is in review.
  passed_form jsonb,
  reason text not null default '',
  -- [{field, reason}] of the last rejection.
  field_reasons jsonb not null default '[]',
  company_id bigint references company (id),
  dept_id bigint references dept (id),
  -- The unit above a project department, whose administrator reviews first.
  parent_dept_id bigint references dept (id),
  name text not null default '',
  valid_to date,
  submitted_at timestamptz,
  reviewed_at timestamptz,
  create_time timestamptz not null,
  update_time timestamptz not null,
  version integer not null default 1
);
create unique index certification_own on certification (account_id, kind);
create index certification_waiting on certification (status, submitted_at);
create index certification_parent on certification (parent_dept_id) where parent_dept_id is not null;
create index certification_validity on certification (valid_to) where status in ('2', '5') and valid_to is not null;

create table certification_document (
  id bigint generated always as identity primary key,
  certification_id bigint not null references certification (id) on delete cascade,
  kind text not null,
  file_id uuid not null references file (id),
  valid_to date,
  status text not null default '0' check (status in ('0', '1', '2')),
  reason text not null default '',
  unique (certification_id, kind)
);
create index certification_document_file on certification_document (file_id);

create table certification_event (
  id bigint generated always as identity primary key,
  certification_id bigint not null references certification (id) on delete cascade,
  account_id bigint references account (id) on delete set null,
  action text not null check (action in ('submit', 'withdraw', 'pass', 'reject', 'revoke', 'expire')),
  note text not null default '',
  at timestamptz not null
);
create index certification_event_of on certification_event (certification_id, id);

-- Each threshold (90, 60, 30, 7, 0 days) of each paper is told once.
create table reminder (
  subject text not null,
  subject_id bigint not null,
  paper text not null,
  valid_to date not null,
  threshold integer not null,
  at timestamptz not null,
  primary key (subject, subject_id, paper, valid_to, threshold)
);

create table feedback (
  id bigint generated always as identity primary key,
  feedback_code text not null unique,
  account_id bigint not null references account (id) on delete cascade,
  type text not null check (type in ('suggestion', 'fault', 'data', 'complaint', 'other')),
  title text not null,
  content text not null,
  contact text not null default '',
  status text not null default '0' check (status in ('0', '1', '2', '3')),
  satisfaction smallint check (satisfaction between 1 and 5),
  create_time timestamptz not null,
  update_time timestamptz not null
);
create index feedback_own on feedback (account_id, id desc);
create index feedback_status on feedback (status, update_time);

create table feedback_image (
  feedback_id bigint not null references feedback (id) on delete cascade,
  file_id uuid not null references file (id),
  order_num integer not null,
  primary key (feedback_id, file_id)
);
create index feedback_image_file on feedback_image (file_id);

create table feedback_reply (
  id bigint generated always as identity primary key,
  feedback_id bigint not null references feedback (id) on delete cascade,
  account_id bigint references account (id) on delete set null,
  by_operator boolean not null,
  content text not null,
  at timestamptz not null
);
create index feedback_reply_of on feedback_reply (feedback_id, id);

create table message_config (
  account_id bigint not null references account (id) on delete cascade,
  system_subject text not null,
  in_app text not null default '1' check (in_app in ('0', '1')),
  push text not null default '1' check (push in ('0', '1')),
  sms text not null default '0' check (sms in ('0', '1')),
  quiet_from text not null default '' check (quiet_from ~ '^(|[0-2][0-9]:[0-5][0-9])$'),
  quiet_to text not null default '' check (quiet_to ~ '^(|[0-2][0-9]:[0-5][0-9])$'),
  primary key (account_id, system_subject)
);

create table favourite (
  account_id bigint not null references account (id) on delete cascade,
  biz_type text not null check (biz_type in ('equipment', 'supplier', 'demand')),
  biz_id bigint not null,
  at timestamptz not null,
  primary key (account_id, biz_type, biz_id)
);
create index favourite_own on favourite (account_id, at desc);

create table saved_search (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id) on delete cascade,
  list text not null check (list in ('equipment', 'demand')),
  name text not null,
  query text not null,
  alert boolean not null default true,
  checked_at timestamptz not null,
  create_time timestamptz not null
);
create index saved_search_own on saved_search (account_id, id desc);
create index saved_search_due on saved_search (checked_at) where alert;

create table cancellation (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id),
  reason text not null,
  status text not null default '0' check (status in ('0', '1', '2', '3', '4')),
  requested_at timestamptz not null,
  due_at timestamptz not null,
  done_at timestamptz
);
create unique index cancellation_running on cancellation (account_id) where status in ('0', '2');
create index cancellation_due on cancellation (due_at) where status = '0';

-- Middle of the place, degrees; enough for "how far is it" between cities.
alter table region add column lat numeric(6, 3);
alter table region add column lng numeric(6, 3);

-- What a machine or a demand is found by after it became public.
create index equipment_confirmed on equipment (confirmed_at desc) where audit_status = '2' and shelf_status = '1' and del_flag = '0';
create index equipment_brand on equipment (brand, id desc) where audit_status = '2' and shelf_status = '1' and del_flag = '0';

-- Articles are HTML from here on; what was written before are paragraphs divided by empty lines.
update article set content = '<p>' || replace(replace(replace(replace(content, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\n\n', '</p><p>') || '</p>';

-- Kilometres along the great circle between two places in degrees.
create function distance_km(lat1 numeric, lng1 numeric, lat2 numeric, lng2 numeric) returns integer
language sql immutable parallel safe as $$
  select round(12742 * asin(sqrt(least(1, power(sin(radians(lat2 - lat1) / 2), 2)
    + cos(radians(lat1)) * cos(radians(lat2)) * power(sin(radians(lng2 - lng1) / 2), 2)))))::integer
$$;
