-- Where a unit approves contracts, what binds it more is approved as well: an amendment of its own before it is sent, one of the lessor before it is confirmed.
alter table contract_change add column approval text not null default '0' check (approval in ('0', '1', '2', '3'));
alter table contract_change add column approval_asked_by bigint references account (id);

-- Why a unit approves an amendment or not stays with it, as with its contracts.
create or replace function contract_event_person(event contract_event) returns text
language sql stable as $$
  select json_build_array(event.account_id, event.salt,
    case when event.move in ('ask', 'approve', 'reject', 'draft', 'positions', 'changeAsk', 'changeApprove', 'changeReject') then event.note
      else '' end)::text
$$;

create or replace function contract_event_detail(event contract_event) returns text
language sql stable as $$
  select case event.detail_form
    when 1 then json_build_array(event.account_id, event.ref_id, event.note, event.salt)::text
    else json_build_array(sha256_hex(contract_event_person(event)), event.ref_id,
      case when event.move in ('ask', 'approve', 'reject', 'draft', 'positions', 'changeAsk', 'changeApprove', 'changeReject') then ''
        else event.note end)::text
  end
$$;
