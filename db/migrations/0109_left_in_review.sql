-- 0104 took the changes of people who were erased for first applications. Nobody decides those, and nothing ended them. What was passed stays as it was,
-- or has ended with the certification of the company.
update certification c set version = c.version + 1,
  status = coalesce((
    select case c.kind when 'rentout' then o.lessor_audit else o.lessee_audit end from company o
    where o.id = c.company_id and c.kind <> 'dept' and case c.kind when 'rentout' then o.lessor_audit else o.lessee_audit end in ('4', '6')), '2'),
  parent_dept_id = (
    select d.parent_id from dept d join company o on o.id = d.company_id where d.id = c.dept_id and c.kind = 'dept' and o.lessee_audit = '2')
from account a
where a.id = c.account_id and a.del_flag = '2' and c.status = '1' and c.passed_form is null and (
  c.valid_to is not null or exists (select from certification_event e where e.certification_id = c.id and e.action = 'pass'));

-- What was never passed goes with a person who was erased, and leaves the queue with one who was deleted.
delete from certification c using account a where a.id = c.account_id and a.user_name like 'cancelled#%' and c.status = '1';
update certification c set status = '0', version = c.version + 1 from account a where a.id = c.account_id and a.del_flag = '2' and c.status = '1';
