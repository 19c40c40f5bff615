-- The lists of an owner find their rows as the public ones do (decision 50): an index that begins with the owner or with the order, and that holds every
-- column by which the list is filtered or sorted, so that no row is read before its page is known.

-- The machines of a lessor; also their number on the shelf and those that fit the line of a demand.
drop index equipment_company;
create index equipment_company on equipment (company_id, category_id, id desc)
  include (father_category_id, audit_status, shelf_status, del_flag, rent_status, main_value, emission_stage, total_qty, taken, month_price_fen, confirmed_at,
    out_factory_date);

-- What an award of the demand comes to, beside the demand, so that an index of the demands holds it.
alter table demand add column awarded_net_fen bigint;
update demand d set awarded_net_fen = w.net_fen from award w where w.demand_id = d.id;
create function demand_awarded() returns trigger
language plpgsql as $$
begin
  update demand set awarded_net_fen = (select net_fen from award where demand_id = coalesce(new.demand_id, old.demand_id))
    where id = coalesce(new.demand_id, old.demand_id);
  return null;
end $$;
create trigger demand_awarded after insert or delete or update of net_fen on award for each row execute function demand_awarded();

-- The demands of a unit, and those of a company in each order of its list.
drop index demand_dept, demand_company;
create index demand_dept on demand (dept_id, status, id desc) include (del_flag, publish_time, quote_deadline, quote_count, awarded_net_fen);
create index demand_company on demand (company_id, id desc) include (dept_id, status, del_flag);
create index demand_by_publishing on demand (company_id, publish_time, id) include (dept_id, status) where status <> '0' and del_flag = '0';
create index demand_by_deadline on demand (company_id, quote_deadline, id) include (dept_id, status) where status <> '0' and del_flag = '0';
create index demand_by_quotes on demand (company_id, quote_count, id) include (dept_id, status) where status <> '0' and del_flag = '0';
create index demand_by_net on demand (company_id, awarded_net_fen, id) include (dept_id, status) where status <> '0' and del_flag = '0';

-- The lines of a demand with what a machine must have to fit one.
alter table demand_item drop constraint demand_item_demand_id_line_no_key,
  add constraint demand_item_demand_id_line_no_key unique (demand_id, line_no)
    include (category_id, father_category_id, main_rule, main_value, min_emission, plan_start, plan_end);

-- Contracts of a unit, and those of each side.
drop index contract_lessee, contract_company, contract_lessor, contract_status;
create index contract_lessee on contract (dept_id, status, id desc) include (plan_end, amount_fen, update_time);
create index contract_company on contract (lessee_company_id, id desc) include (dept_id, status, source, plan_end, amount_fen, update_time);
create index contract_lessor on contract (lessor_company_id, id desc) include (status, source, sent_at, plan_end);
create index contract_status on contract (status, id desc) include (source);

-- The companies of the platform; a skip scan serves those who choose a later column alone.
drop index company_listed;
create index company_listed on company (province_id, grade, status, id desc) include (is_lessor, is_lessee, enterprise_name, create_time) where del_flag = '0';

-- The demands that still take quotes, those that close first.
drop index demand_due;
create index demand_due on demand (quote_deadline, id desc) include (company_id, demand_type, del_flag) where status = '3';
