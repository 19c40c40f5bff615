-- The positions whose hire ends soon, which the clock looks for every minute.
create index contract_line_ending on contract_line (plan_end) where status in ('0', '1');
