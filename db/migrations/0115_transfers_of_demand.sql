-- The requests for own machines of a demand, which each submission and each cancellation asks for.
create index internal_transfer_demand on internal_transfer (demand_id) where demand_id is not null;
