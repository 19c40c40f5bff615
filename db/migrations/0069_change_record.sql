-- What is agreed in an amendment is hashed as the database stores it, so that the hash in the chain can be made again from the record.
create function contract_change_text(change contract_change) returns text
language sql stable as $$
  select json_build_array(change.change_code, change.contract_id, change.kind, change.side, to_char(change.from_day, 'YYYY-MM-DD'), change.reason,
    change.input::text)::text
$$;

-- The hash of an amendment from before was of a form that is not stored. These enter their chains once more.
insert into contract_event (contract_id, at, move, ref_kind, ref_id, digest, note)
select change.contract_id, now(), 'changeRecord', 'change', change.id, sha256_hex(contract_change_text(change)), change.change_code
from contract_change change order by change.contract_id, change.id;

create trigger contract_change_kept before update on contract_change for each row
when (contract_change_text(old) is distinct from contract_change_text(new)) execute function refuse_change();
