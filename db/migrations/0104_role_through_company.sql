-- Whom an administrator added has no certification of their own and the role through the company. The end of the company's certification was written to
-- their account as well, where no renewal took it back.
update account a set audit_status = '2'
where a.audit_status in ('4', '6') and a.user_type in ('2', '4') and a.company_id is not null and not exists (
  select from certification c where c.account_id = a.id and c.kind = case a.user_type when '4' then 'rentout' else 'lease' end);

-- What they handed in themselves was a change of something that was never passed. It waits like any other first application.
update certification set status = '1' where status = '5' and passed_form is null;
alter table certification add constraint certification_change_of_passed check (status <> '5' or passed_form is not null);
