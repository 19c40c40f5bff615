-- What storing a demand and telling people of it costs.

-- The same grams as before, some of them twice (the index does not mind): without a position counted from the start for each.
create or replace function search_grams(content text) returns text[]
language sql immutable parallel safe as $$
  select letters || array(select first || second from unnest(letters, letters[2:]) as pairs(first, second) where second is not null)
  from (select string_to_array(lower(regexp_replace(coalesce(content, ''), '\s+', '', 'g')), null) as letters) as source
$$;

-- Nothing is awarded of a line that was not there.
create function count_added_items() returns trigger language plpgsql as $$
begin
  insert into demand_category (demand_id, category_id) select distinct demand_id, category_id from added on conflict do nothing;
  return null;
end $$;
drop trigger demand_item_added on demand_item;
create trigger demand_item_added after insert on demand_item referencing new table as added
  for each statement execute function count_added_items();

-- message_own begins with the same columns.
drop index message_unread;
