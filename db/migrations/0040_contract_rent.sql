-- The report shows the rent of the contracts apart from the landed cost, which also counts what the lessee pays elsewhere. Rent is the unit price
-- over the planned time, not under the minimum term, tax included (src/shared/quote/landed-cost.ts).
alter table award_line add column rent_fen bigint not null default 0;
alter table award add column rent_fen bigint not null default 0;
alter table quote add column won_rent_fen bigint not null default 0;
alter table demand_category add column won_rent_fen bigint;

create or replace function count_demand_categories(demands bigint[]) returns void language sql as $$
  delete from demand_category where demand_id = any(demands);
  insert into demand_category (demand_id, category_id, won_qty, won_net_fen, won_mean_fen, measured_net_fen, won_rent_fen)
    select i.demand_id, i.category_id, sum(l.qty), sum(l.net_fen), sum(l.mean_net_fen), sum(l.net_fen) filter (where l.mean_net_fen is not null),
      sum(l.rent_fen)
    from demand_item i left join award_line l on l.demand_item_id = i.id where i.demand_id = any(demands) group by 1, 2;
$$;

-- The trigger on award_line counts the categories anew.
update award_line l set rent_fen = round(l.qty * p.unit_price_fen * case p.rent_unit
    when 'M' then p.charged / 30
    when 'D' then p.charged
    when 'S' then coalesce(p.est_quantity * p.charged / p.planned, p.charged / 30 * 26 * p.crews)
    when 'H' then coalesce(p.est_quantity * p.charged / p.planned, p.charged / 30 * 26 * 8 * p.crews)
    else coalesce(p.est_quantity, 0) * p.charged / p.planned end)
  from (select q.id, q.unit_price_fen, q.rent_unit, i.est_quantity, (i.plan_end - i.plan_start)::numeric as planned,
      greatest(i.plan_end - i.plan_start, q.min_rent_days)::numeric as charged, case i.shift_mode when 'double' then 2 else 1 end as crews
    from quote_line q join demand_item i on i.id = q.demand_item_id) p
  where p.id = l.quote_line_id;
update award set rent_fen = (select coalesce(sum(l.rent_fen), 0) from award_line l where l.award_id = award.id);
update quote set won_rent_fen = w.rent from (
  select q.quote_id, sum(l.rent_fen) as rent from award_line l join quote_line q on q.id = l.quote_line_id group by q.quote_id) w
where w.quote_id = quote.id;

drop index award_totals;
create index award_totals on award (demand_id) include (at, net_fen, rent_fen, machines, mean_net_fen, ceiling_fen, under_ceiling_fen);
drop index quote_won;
create index quote_won on quote (demand_id) include (company_id, won_machines, won_net_fen, won_rent_fen, won_mean_fen) where won_machines > 0;

-- The work panel of a lessor reads their quotes by state; its calendar reads hires that begin or end within two weeks; an auditor reads what was
-- opened lately; operators read how long applications wait.
create index quote_standing on quote (company_id, status) include (demand_id);
create index demand_item_start on demand_item (plan_start);
create index demand_item_end on demand_item (plan_end);
create index demand_opened on demand (open_time desc, id desc) include (dept_id) where open_time is not null and del_flag = '0';
create index demand_question_open on demand_question (demand_id) where answer = '';
create index certification_reviewed on certification (reviewed_at) where reviewed_at is not null;
