-- The documents that the requested change of a machine brings: its reviewers and its company read them while it waits, and nobody deletes them.
create table equipment_change_file (
  equipment_id bigint not null references equipment (id),
  file_id uuid not null references file (id),
  primary key (equipment_id, file_id)
);
create index equipment_change_file_file on equipment_change_file (file_id);

-- Nobody decides the change of a machine that is out of use for good.
update equipment_change set status = '4', decide_time = now()
from equipment where equipment.id = equipment_change.equipment_id and equipment_change.status = '1' and equipment.rent_status = '4';

insert into equipment_change_file (equipment_id, file_id)
select distinct c.equipment_id, f.id
from equipment_change c
cross join jsonb_array_elements(c.after -> 'papers') p
join file f on f.id = (p ->> 'fileId')::uuid
where c.status = '1' and jsonb_typeof(c.after -> 'papers') = 'array';
