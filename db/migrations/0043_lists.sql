-- Messages come by their time, the unread ones first: ids need not follow the time, as those of imported messages do not.
drop index message_own;
create index message_own on message (account_id, is_read, create_time desc, id desc);

-- The lists of the platform hold rows of everybody, so each column that sorts them has an index (decision 49).
create index company_by_name on company (enterprise_name, id) where del_flag = '0';
create index company_by_time on company (create_time, id) where del_flag = '0';

-- Filters, sorting and columns of a work list under a name of the person's own.
create table saved_view (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id) on delete cascade,
  list text not null check (length(list) between 1 and 40),
  name text not null check (length(name) between 1 and 40),
  query text not null check (length(query) <= 600),
  hidden text[] not null,
  create_time timestamptz not null,
  unique (account_id, list, name)
);
