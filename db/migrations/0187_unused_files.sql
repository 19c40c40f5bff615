-- The drafts of a company, which name files before they are attached, and the uploads that nothing has taken.
create index demand_draft on demand (company_id) where draft is not null;
create index file_untaken on file (create_time) where purpose is null or purpose = 'article';

-- Nothing is left of an award that every winner gave up, so it is sorted with the demands without an amount.
create or replace function demand_awarded() returns trigger language plpgsql as $$
declare demand_awarded bigint := coalesce(new.demand_id, old.demand_id);
begin
  update demand d set awarded_net_fen = nullif(w.net_fen, 0), awarded_on_ceiling = coalesce(w.ceiling_fen > 0, false),
      awarded_on_mean = coalesce(w.mean_net_fen > 0, false)
    from (select demand_awarded as id) one left join award w on w.demand_id = one.id where d.id = one.id;
  return null;
end $$;
update demand set awarded_net_fen = null where awarded_net_fen = 0;
