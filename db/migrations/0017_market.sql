-- The market of machines like those of a line: their month prices without reading the machines.
drop index equipment_like;
create index equipment_like on equipment (category_id, main_value) include (company_id, city_id, month_price_fen, emission_stage, rent_status, total_qty, id)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
