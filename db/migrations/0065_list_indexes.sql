-- Every list that a page may ask finds its rows by an index (decision 50).

-- Of the units of a group by state.
drop index contract_lessee;
create index contract_lessee on contract (dept_id, status, id desc);
create index contract_status on contract (status, id desc);
alter table contract add column search_grams text[] generated always as (search_grams(search_text)) stored;
create index contract_search on contract using gin (search_grams);

-- Of the console. A skip scan serves those who choose a later column alone.
create index account_listed on account (user_type, status, id desc) where del_flag = '0';
create index company_listed on company (province_id, grade, status, id desc) where del_flag = '0';
create index company_lessees on company (id desc) where is_lessee and del_flag = '0';
create index equipment_off on equipment (id) where shelf_status = '2' and del_flag = '0';
create index outbox_status on outbox (status, id desc);

-- Demands and lessors by the machines that they ask for or have.
drop index demand_item_category;
create index demand_item_category on demand_item (category_id, demand_id) include (main_value);
create index demand_item_father on demand_item (father_category_id, category_id, demand_id);
drop index equipment_father;
create index equipment_father on equipment (father_category_id, category_id, month_price_fen)
  include (company_id, province_id, city_id, brand, main_value, total_qty, taken, out_factory_date, id)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';

-- The order of the articles is whole with their number. An index of their time alone would be taken for one of a tab.
drop index article_list, article_coming;
create index article_list on article (tab, top desc, publish_time desc, id desc) where status = '1';
