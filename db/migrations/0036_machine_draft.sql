-- A draft may lack the day of manufacture. A machine that was submitted has it.
alter table equipment
  alter column out_factory_date drop not null,
  add constraint equipment_submitted_whole check (audit_status in ('0', '3') or out_factory_date is not null);
