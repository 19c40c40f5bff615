-- A broadcast goes out in parts: the last account of the audience that has it; null once all have.
alter table broadcast add column told_up_to bigint;
create index broadcast_unfinished on broadcast (id) where told_up_to is not null;
