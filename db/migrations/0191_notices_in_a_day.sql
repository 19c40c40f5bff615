-- The notices of a person in a day are counted before one more goes by SMS.
drop index outbox_account;
create index outbox_account on outbox (account_id, create_time) where account_id is not null;
