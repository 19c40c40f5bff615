-- The English text is frozen beside the binding one, so that what stands beside a hash is what stood there when it was confirmed.

alter table contract add column text_en text not null default '';
-- Null for a version from before.
alter table contract_version add column text_en text;

create or replace function contract_version_text(version contract_version) returns text
language sql stable as $$
  select case when version.text_en is null
    then json_build_array(version.contract_id, version.revision, to_char(version.from_day, 'YYYY-MM-DD'), version.clauses::text,
      version.lines::text, version.text_hash, utc_text(version.at))
    else json_build_array(version.contract_id, version.revision, to_char(version.from_day, 'YYYY-MM-DD'), version.clauses::text,
      version.lines::text, version.text_hash, utc_text(version.at), sha256_hex(version.text_en))
  end::text
$$;
