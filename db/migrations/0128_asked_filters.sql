-- The contracts of the platform by their source, and the cancellations of one state by the time of their request.
create index contract_source on contract (source, id desc) include (status);
drop index cancellation_list;
create index cancellation_list on cancellation (status, requested_at, id);
