-- The newest machines of a category, for a search whose word means categories: the page is merged from the newest of each of them.
create index equipment_kind on equipment (category_id, id desc)
  include (province_id, city_id, father_category_id, brand, month_price_fen, main_value, total_qty, taken)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
