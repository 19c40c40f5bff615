-- The clock finds the prices that have ended; most have no last day.
create index equipment_price_ends on equipment_price (valid_to) where valid_to is not null;
