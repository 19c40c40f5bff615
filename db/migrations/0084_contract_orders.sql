-- The platform sorts every contract by its end and by its last change (decision 49).
create index contract_by_end on contract (plan_end, id);
create index contract_by_change on contract (update_time, id);
