-- Each scan is of one version of the text, and is compared with that one.
alter table contract add column scan_revision integer;
-- Of a scan from before: the newest version in force when it was handed in.
update contract set scan_revision = coalesce((select max(v.revision) from contract_version v where v.contract_id = contract.id
    and v.at <= (select max(e.at) from contract_event e where e.contract_id = contract.id and e.move = 'scan')), revision)
  where scan_by is not null;
-- The version before, which may run beside this one, hands in scans without it: they are of the version in force.
alter table contract add constraint contract_scan_revision check (scan_by is not null or scan_revision is null);
