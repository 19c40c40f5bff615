-- A notice to the bidders of this demand. Until its opening the platform's people do not see it, because its receivers are those who have quoted.
alter table outbox add column sealed_by bigint references demand (id);
create index outbox_sealed on outbox (sealed_by) where sealed_by is not null;
