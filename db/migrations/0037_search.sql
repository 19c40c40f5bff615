-- The month price of a machine is computed from the prices it is offered at: by the month, or else by the day (30), the shift
-- (26, or 52 in two shifts) or the hour (8 a shift), in this order. Machines stored before have one that nobody offers.
update equipment e set month_price_fen = computed.fen
from (
  select m.id, (
    select case p.rent_unit when 'M' then p.price_fen when 'D' then p.price_fen * 30
      when 'S' then p.price_fen * case p.shift_mode when 'double' then 52 else 26 end else p.price_fen * 8 * 26 end
    from equipment_price p where p.equipment_id = m.id and p.price_fen is not null and p.rent_unit in ('M', 'D', 'S', 'H')
    order by array_position(array['M', 'D', 'S', 'H'], p.rent_unit) limit 1) as fen
  from equipment m where exists (select from equipment_price p where p.equipment_id = m.id)) computed
where computed.id = e.id and e.month_price_fen is distinct from computed.fen;

-- What the trade calls these machines by, beside the names they have already.
update category c set alias = c.alias || array(select word from unnest(further.words) word where not word = any(c.alias)), version = c.version + 1
from (values (101, array['挖土机', '钩机']), (201, array['QTZ']), (208, array['人货梯', '施工梯']), (301, array['升降车']), (305, array['高空车']),
  (405, array['水泥罐车']), (903, array['平板车']), (1205, array['炮雾车'])) further (id, words)
where c.id = further.id and not c.alias @> further.words;

-- The contact of a lessor is looked at as that of a demand is, and counts among the same looks of a day.
alter table contact_look alter column demand_id drop not null;
alter table contact_look add column company_id bigint references company (id);
alter table contact_look add constraint contact_look_of_one check (num_nonnulls(demand_id, company_id) = 1);

-- A table of one category is sorted by the age of its machines; by their main parameter it is already (equipment_like).
create index equipment_built on equipment (category_id, out_factory_date desc, id desc)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';
