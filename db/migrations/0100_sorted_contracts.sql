-- The contracts of a company in each order of their list, with what filters them, as those of the demands are (0093).
create index contract_by_amount on contract (lessee_company_id, amount_fen, id) include (dept_id, status, plan_end, lessor_company_id);
create index contract_ending on contract (lessee_company_id, plan_end, id) include (dept_id, status, lessor_company_id, amount_fen, update_time);
create index contract_changed on contract (lessee_company_id, update_time, id) include (dept_id, status, plan_end, lessor_company_id);
create index contract_by_status on contract (lessee_company_id, status, id) include (dept_id, plan_end, lessor_company_id);
