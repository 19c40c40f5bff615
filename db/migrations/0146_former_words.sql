-- A machine's own grams leave out those of its category. What the category was called therefore stays among its words until the clock has computed
-- the grams of its machines anew (src/server/category/machines.ts). Null: they are all up to date.
alter table category add column former_words text;
alter table category add column former_grams text[] generated always as (search_grams(former_words)) stored;
-- The last machine that is up to date, while former_words is not null.
alter table category add column refreshed_to bigint not null default 0;

create function category_machines_behind() returns trigger
language plpgsql as $$
begin
  new.former_words := concat_ws(' ', old.former_words, old.words);
  new.refreshed_to := 0;
  return new;
end $$;
-- Of whoever changes it: the console, a seed, a correction by hand.
create trigger category_machines_behind before update of name, alias, parent_id on category for each row
  when (old.level = 2 and (old.name, old.alias, old.parent_id) is distinct from (new.name, new.alias, new.parent_id))
  execute function category_machines_behind();
