-- Machines that an entry barred on the whole platform on the day of its decision, while such an entry left a machine on the shelf. One that begins
-- later is carried out by the clock.
update equipment e set shelf_status = '0', update_time = now()
  from blacklist b
  where b.equipment_id = e.id and b.subject_kind = 'machine' and b.level = 3 and b.scope_dept_id is null and b.status in ('2', '3')
    and (b.decide_time at time zone 'Asia/Shanghai')::date >= b.from_day and e.shelf_status = '1';
