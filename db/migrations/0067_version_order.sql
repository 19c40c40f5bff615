-- The versions of a contract follow each other, also in the days from which they hold: what was agreed for a day is not undone by a later version
-- that holds from an earlier one. Those stored before are left as they are.
create function order_contract_version() returns trigger language plpgsql as $$
begin
  if exists (select from contract_version v where v.contract_id = new.contract_id and (v.revision >= new.revision or v.from_day > new.from_day)) then
    raise exception 'a version of contract % comes before another', new.contract_id using errcode = 'check_violation', constraint = 'contract_version_order';
  end if;
  return new;
end $$;
create trigger contract_version_ordered before insert on contract_version for each row execute function order_contract_version();
