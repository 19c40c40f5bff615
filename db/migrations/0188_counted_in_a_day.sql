-- What one person writes in a day is counted before more is taken: proposals of restrictions with their changes, and direct contracts, those of a company first.
create index blacklist_event_account on blacklist_event (account_id, at);
create index contract_written on contract (lessee_company_id, create_time) where source = 'direct';
