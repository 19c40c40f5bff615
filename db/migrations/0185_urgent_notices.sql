-- News of another bank account goes by SMS at once, before whatever waits for its turn.
alter table outbox add column urgent boolean not null default false;
drop index outbox_waiting;
create index outbox_waiting on outbox (urgent desc, not_before) where status <> '1';
