-- Whether a certification was passed is told by its form that was passed, and by its events where a person was erased. One that was never passed was recorded
-- as passed when it was withdrawn or sent back, and ended with the certification of the company. One that was revoked itself stays so.
update certification c set status = case c.reason when '' then '0' else '3' end, version = version + 1
where c.status in ('2', '4', '6') and c.passed_form is null and not exists (
  select from certification_event e where e.certification_id = c.id and e.action in ('pass', 'revoke'));

-- Their people were added by an administrator and have the role through the company, whatever became of what they saved or handed in themselves.
update account a set audit_status = case c.status when '1' then '5' else '2' end,
  cert_sign = case c.kind when 'rentout' then 1 when 'lease' then 2 else 3 end
from certification c
where c.account_id = a.id and c.kind = case a.user_type when '4' then 'rentout' when '2' then 'lease' when '3' then 'dept' end
  and a.company_id is not null and a.del_flag = '0' and a.audit_status not in ('2', '5') and c.passed_form is null and not exists (
    select from certification_event e where e.certification_id = c.id and e.action in ('pass', 'revoke'));
