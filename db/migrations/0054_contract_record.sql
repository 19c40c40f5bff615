-- The chain of a contract commits to all that is stored of it, both sides check all of it, and each night's root shows an end that was cut off.

-- How the detail of an event is built. 1: it names who acted, and only their own side is shown it. 2: it holds the hash of who acted, so the
-- other side checks the note and what the event is about as well. Why a unit approves or not, and why its own prices are above its ceilings, stays with it.
alter table contract_event add column detail_form smallint not null default 1 check (detail_form in (1, 2));
alter table contract_event alter column detail_form set default 2;

create function contract_event_person(event contract_event) returns text
language sql stable as $$
  select json_build_array(event.account_id, event.salt,
    case when event.move in ('ask', 'approve', 'reject', 'draft') then event.note else '' end)::text
$$;

create or replace function contract_event_detail(event contract_event) returns text
language sql stable as $$
  select case event.detail_form
    when 1 then json_build_array(event.account_id, event.ref_id, event.note, event.salt)::text
    else json_build_array(sha256_hex(contract_event_person(event)), event.ref_id,
      case when event.move in ('ask', 'approve', 'reject', 'draft') then '' else event.note end)::text
  end
$$;

-- What the event of a version holds the hash of. The text itself stands in it by its own hash.
create function contract_version_text(version contract_version) returns text
language sql stable as $$
  select json_build_array(version.contract_id, version.revision, to_char(version.from_day, 'YYYY-MM-DD'), version.clauses::text,
    version.lines::text, version.text_hash, utc_text(version.at))::text
$$;

-- Versions from before enter their chains now.
insert into contract_event (contract_id, at, move, ref_kind, ref_id, digest, note)
select version.contract_id, now(), 'version', 'version', version.revision, sha256_hex(contract_version_text(version)), 'v' || version.revision
from contract_version version order by version.contract_id, version.revision;

-- The last link of each chain that grew on a day. Their Merkle root is in the audit log.
create table contract_head (
  day date not null,
  contract_id bigint not null references contract (id),
  seq integer not null check (seq >= 1),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  primary key (day, contract_id)
);
create index contract_head_contract on contract_head (contract_id, seq desc);
create trigger contract_head_kept before update or delete on contract_head for each row execute function refuse_change();
create index contract_event_at on contract_event (at);
