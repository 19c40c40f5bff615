-- What waits for a side among its contracts, which the work panel of everybody asks for every minute.
create index contract_to_confirm on contract (lessor_company_id) where status = '1';
create index contract_scan_of_lessee on contract (dept_id) where scan_state = '1';
create index contract_scan_of_lessor on contract (lessor_company_id) where scan_state = '1';
