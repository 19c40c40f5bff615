-- The second factor of an account: one-time passwords by time (RFC 6238). The secret is encrypted, and holds once a first code has confirmed it.
create table second_factor (
  account_id bigint primary key references account (id) on delete cascade,
  secret_sealed bytea not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- The time step of the last code that was accepted: none is accepted twice.
  last_step bigint not null default 0
);

-- Each stands in for one code, once: it is deleted when it is used.
create table recovery_code (
  account_id bigint not null references account (id) on delete cascade,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);

-- Somebody who has given a password or an SMS code and still owes the second factor.
create table sign_in_ticket (
  token_hash bytea primary key,
  account_id bigint not null references account (id) on delete cascade,
  way text not null check (way in ('password', 'sms')),
  tries integer not null default 0,
  expires_at timestamptz not null
);
create index sign_in_ticket_account on sign_in_ticket (account_id);
create index sign_in_ticket_expiry on sign_in_ticket (expires_at);
