-- The chain holds the hash of a bank account with a salt that only those learn who see the account, so that nobody finds a number by trying. What was
-- hashed before has no salt and fits as it did.
alter table contract add column account_salt text not null default '';
alter table contract_change add column account_salt text not null default '';

create or replace function contract_change_text(change contract_change) returns text
language sql stable as $$
  select case when change.account_salt = '' then json_build_array(change.change_code, change.contract_id, change.kind, change.side,
      to_char(change.from_day, 'YYYY-MM-DD'), change.reason, change.input::text)
    else json_build_array(change.change_code, change.contract_id, change.kind, change.side, to_char(change.from_day, 'YYYY-MM-DD'), change.reason,
      change.input::text, change.account_salt) end::text
$$;
