-- The outbox tells the SMS that a provider took from those that its local stand-in took and that left nowhere (src/server/outbox/queries.ts).
drop index outbox_status;
create index outbox_status on outbox ((case when status = '1' and provider = 'local' then 'local' else status end), id desc);
