-- The owner of a demand sees how many lessors have heard of it. Null until the notices have gone out, and for demands published before.
alter table demand add column notified_count integer check (notified_count >= 0);
