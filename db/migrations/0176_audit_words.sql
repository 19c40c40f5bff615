-- Words are looked for in the names and reasons of a log that only grows. An index over an expression leaves its rows, and with them their hashes, as they are.
create index audit_log_words on audit_log using gin (search_grams(biz_name || ' ' || reason));
