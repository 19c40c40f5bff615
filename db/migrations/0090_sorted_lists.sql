-- The lists of the platform that are sorted by a time are read along an index, in both directions (decision 49).
create index account_by_time on account (create_time, id) where del_flag = '0';
create index outbox_by_time on outbox (create_time, id);
create index certification_by_time on certification (submitted_at, id);
create index article_by_time on article (publish_time, id);
create index contact_by_time on contact (create_time, id);
create index cancellation_by_time on cancellation (requested_at, id);
