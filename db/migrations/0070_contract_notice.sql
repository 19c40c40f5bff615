-- A side gives notice that it ends a contract. It changes nothing by itself; its reason and files stay in the chain.
create table contract_notice (
  id bigint generated always as identity primary key,
  contract_id bigint not null references contract (id),
  side text not null check (side in ('lessee', 'lessor')),
  account_id bigint not null references account (id),
  reason text not null check (length(reason) between 2 and 500),
  at timestamptz not null
);
create index contract_notice_contract on contract_notice (contract_id, id);
create trigger contract_notice_kept before update or delete on contract_notice for each row execute function refuse_change();

alter table contract_file add column notice_id bigint references contract_notice (id);
alter table contract_file drop constraint contract_file_kind_check;
alter table contract_file add constraint contract_file_kind_check check (kind in ('form', 'scan', 'notice'));
alter table contract_file add constraint contract_file_notice check ((kind = 'notice') = (notice_id is not null));
create index contract_file_of_notice on contract_file (notice_id) where notice_id is not null;
