-- The quotes of an opened demand are those that were opened. Before, those that lapsed or were disqualified at the opening were counted as well.
update demand d set quote_count = opened.quotes
  from (select o.id, count(q.id)::integer as quotes from demand o left join quote q on q.demand_id = o.id and q.open_time is not null
    where o.open_time is not null group by o.id) opened
  where d.id = opened.id and d.quote_count <> opened.quotes;
