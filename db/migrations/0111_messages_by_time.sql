-- The newest messages of a person, read or unread, which the header and the work panel show.
create index message_newest on message (account_id, create_time desc, id desc);
