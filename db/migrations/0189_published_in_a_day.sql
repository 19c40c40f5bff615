-- What one person publishes in a day is counted before more is taken.
drop index demand_account;
create index demand_account on demand (account_id, publish_time);
