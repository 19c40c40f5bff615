-- A hire by time has no estimated quantity (decision 61). Earlier forms kept one that was typed for another unit: in a demand that may still be amended it
-- would make a corrected phone number a change of the terms, and a draft would name it in the text that both sides confirm.
update demand_item i set est_quantity = null from demand d
  where d.id = i.demand_id and d.status in ('1', '2', '3') and i.rent_unit in ('M', 'D') and i.est_quantity is not null;
update contract_line l set est_quantity = null from contract c
  where c.id = l.contract_id and c.status = '0' and l.rent_unit in ('M', 'D') and l.est_quantity is not null;
