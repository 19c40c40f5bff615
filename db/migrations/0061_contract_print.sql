-- How many times a version of a contract was made as a PDF. A draft has one version for each text.
create table contract_print (
  contract_id bigint not null references contract (id),
  revision integer not null,
  text_hash text not null check (text_hash ~ '^[0-9a-f]{64}$'),
  prints integer not null check (prints >= 1),
  primary key (contract_id, revision, text_hash)
);
