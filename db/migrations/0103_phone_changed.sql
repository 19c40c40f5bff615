-- When the number of an account last changed without a second factor: no code for signing goes to it for a day. Null where it never did.
alter table account add column phone_changed_at timestamptz;
