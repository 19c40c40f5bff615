-- The clock marks a price whose last day is over once it has computed the month price of its machine, and reads it no more.
alter table equipment_price add column ended boolean not null default false;
drop index equipment_price_ends;
create index equipment_price_ends on equipment_price (valid_to) where valid_to is not null and not ended;
