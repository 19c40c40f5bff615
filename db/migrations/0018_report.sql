-- What each demand asks for and got, by category, for the report: kept by the database from the lines and what of them was awarded.
create table demand_category (
  demand_id bigint not null references demand on delete cascade,
  category_id integer not null references category,
  -- Null where nothing of the category was awarded. Machines; landed cost and mean of the offers in fen, the latter where it is known.
  won_qty integer,
  won_net_fen bigint,
  won_mean_fen bigint,
  -- Of won_net_fen, what has a mean to be held against.
  measured_net_fen bigint,
  primary key (demand_id, category_id)
);

create function count_demand_categories(demands bigint[]) returns void language sql as $$
  delete from demand_category where demand_id = any(demands);
  insert into demand_category
    select i.demand_id, i.category_id, sum(l.qty), sum(l.net_fen), sum(l.mean_net_fen), sum(l.net_fen) filter (where l.mean_net_fen is not null)
    from demand_item i left join award_line l on l.demand_item_id = i.id where i.demand_id = any(demands) group by 1, 2;
$$;

create function count_changed_items() returns trigger language plpgsql as $$
begin
  perform count_demand_categories(array(select distinct demand_id from changed));
  return null;
end $$;
create trigger demand_item_added after insert on demand_item referencing new table as changed
  for each statement execute function count_changed_items();
create trigger demand_item_changed after update on demand_item referencing new table as changed
  for each statement execute function count_changed_items();
create trigger demand_item_gone after delete on demand_item referencing old table as changed
  for each statement execute function count_changed_items();

create function count_changed_awards() returns trigger language plpgsql as $$
begin
  perform count_demand_categories(array(select distinct i.demand_id from changed c join demand_item i on i.id = c.demand_item_id));
  return null;
end $$;
create trigger award_line_added after insert on award_line referencing new table as changed
  for each statement execute function count_changed_awards();
create trigger award_line_changed after update on award_line referencing new table as changed
  for each statement execute function count_changed_awards();
create trigger award_line_gone after delete on award_line referencing old table as changed
  for each statement execute function count_changed_awards();

insert into demand_category
  select i.demand_id, i.category_id, sum(l.qty), sum(l.net_fen), sum(l.mean_net_fen), sum(l.net_fen) filter (where l.mean_net_fen is not null)
  from demand_item i left join award_line l on l.demand_item_id = i.id group by 1, 2;

-- No version that may still run beside this one reads it (0015).
alter table equipment drop column search_grams;

-- Who won, for the report by lessor.
create index quote_won on quote (demand_id) include (company_id, won_machines, won_net_fen, won_mean_fen) where won_machines > 0;
