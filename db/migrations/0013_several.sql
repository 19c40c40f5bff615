-- Calls that can be misused in numbers, counted over all instances. Unlogged: after a crash of the database everybody starts at nothing.
create unlogged table call_limit (
  key text primary key,
  since timestamptz not null,
  calls integer not null
);
create index call_limit_since on call_limit (since);

-- A creating call that carries a key is done once; written in the transaction of the deed, the answer after it.
create table idempotency (
  account_id bigint not null references account (id) on delete cascade,
  key text not null check (length(key) between 8 and 64),
  -- Of call and body: the same key for something else is a mistake of the client.
  request_hash bytea not null,
  answer jsonb,
  at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_at on idempotency (at);
