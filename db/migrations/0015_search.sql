-- What most words mean is a category or a brand, and those have indexes in the order of the list. Of the machine itself
-- only what neither says is kept as grams (search_grams in the first migration): its model, its own name.

-- Every brand there has been, so that the brands that hold a word are found without reading the machines.
create table brand (
  brand text primary key,
  grams text[] generated always as (search_grams(brand)) stored
);
insert into brand select distinct brand from equipment;

-- Name and other names of a category, in lower case. array_to_string is only as stable as the elements' output; text's never changes.
create function category_words(name text, alias text[]) returns text
language sql immutable parallel safe as $$
  select lower(name || ' ' || array_to_string(alias, ' '))
$$;
alter table category add column words text generated always as (category_words(name, alias)) stored;
alter table category add column grams text[] generated always as (search_grams(category_words(name, alias))) stored;

create function equipment_words() returns trigger
language plpgsql as $$
begin
  insert into brand values (new.brand) on conflict do nothing;
  new.own_grams := array(
    select unnest(search_grams(new.search_text))
    except select unnest(c.grams) from category c where c.id = new.category_id
    except select unnest(b.grams) from brand b where b.brand = new.brand);
  return new;
end $$;

alter table equipment add column own_grams text[] not null default '{}';
create trigger equipment_words before insert or update of search_text, brand, category_id on equipment
  for each row execute function equipment_words();
update equipment set brand = brand;
-- The column search_grams stays for instances of the version before, which are still asking it while they are replaced.
drop index equipment_search;
create index equipment_own on equipment using gin (own_grams)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
drop index equipment_brand;
create index equipment_brand on equipment (brand, id desc) include (category_id, month_price_fen)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
