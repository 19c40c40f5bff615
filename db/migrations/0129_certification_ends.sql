-- The contracts of a company hear of the end of its certification as they do of a lock, and of the next one. The clock ends those that ran out.
alter table contract_party_move
  alter column account_id drop not null,
  drop constraint contract_party_move_move_check,
  add constraint contract_party_move_move_check check (move in ('lock', 'unlock', 'certificationEnd', 'certificationBack'));
