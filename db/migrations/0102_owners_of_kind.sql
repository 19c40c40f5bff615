-- The machines of a first-level category name the lessors of the library, each once, along an index of their own.
create index equipment_owner on equipment (father_category_id, company_id) include (category_id)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
