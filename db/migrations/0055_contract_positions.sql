-- The event of positions that were changed in a draft notes why prices are above the ceilings of the unit, so its note stays with the own side.
create or replace function contract_event_person(event contract_event) returns text
language sql stable as $$
  select json_build_array(event.account_id, event.salt,
    case when event.move in ('ask', 'approve', 'reject', 'draft', 'positions') then event.note else '' end)::text
$$;

create or replace function contract_event_detail(event contract_event) returns text
language sql stable as $$
  select case event.detail_form
    when 1 then json_build_array(event.account_id, event.ref_id, event.note, event.salt)::text
    else json_build_array(sha256_hex(contract_event_person(event)), event.ref_id,
      case when event.move in ('ask', 'approve', 'reject', 'draft', 'positions') then '' else event.note end)::text
  end
$$;
