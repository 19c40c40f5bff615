-- Two administrators with the same unit or person open: the second is told.
alter table dept add column version integer not null default 1;
alter table account add column version integer not null default 1;
