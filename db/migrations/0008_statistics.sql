-- What statistics add up is kept with the demand, the award and the quote it belongs to, written in the transaction that
-- decides it, so that a report over years reads one row for each and not every line of every quote.
alter table demand add column line_count smallint not null default 0;
update demand set line_count = (select count(*) from demand_item i where i.demand_id = demand.id);

-- Of the lines awarded: the landed cost of the mean offer for as many machines, and rents against ceilings where a line
-- had one in the same unit.
alter table award_line add column mean_net_fen bigint;
alter table award add column machines integer not null default 0;
alter table award add column mean_net_fen bigint;
alter table award add column ceiling_fen bigint not null default 0;
alter table award add column under_ceiling_fen bigint not null default 0;
update award set machines = (select coalesce(sum(qty), 0) from award_line l where l.award_id = award.id);

alter table quote add column won_machines integer not null default 0;
alter table quote add column won_net_fen bigint not null default 0;
alter table quote add column won_mean_fen bigint;
update quote set won_machines = w.machines, won_net_fen = w.net from (
  select q.quote_id, sum(l.qty) as machines, sum(l.net_fen) as net from award_line l join quote_line q on q.id = l.quote_line_id group by q.quote_id) w
where w.quote_id = quote.id;

create index award_line_item on award_line (demand_item_id);
create index demand_published on demand (dept_id, publish_time) include (id, status, quote_count, open_time, province_id, line_count)
  where status not in ('0', '1', '2') and del_flag = '0';
create index award_totals on award (demand_id) include (at, net_fen, machines, mean_net_fen, ceiling_fen, under_ceiling_fen);
create index quote_opened on quote (demand_id) include (company_id, status, won_machines, won_net_fen, won_mean_fen) where open_time is not null;
