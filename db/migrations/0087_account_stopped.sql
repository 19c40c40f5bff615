-- Another bank account may be stopped while it waits its day.
alter table contract_change drop constraint contract_change_status_check;
alter table contract_change add constraint contract_change_status_check check (status in ('0', '1', '2', '3', '4', '5'));
