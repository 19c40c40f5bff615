-- Whom the platform locks, the administrators of their company do not unlock.
alter table account add column platform_locked boolean not null default false;
update account a set platform_locked = true
  where a.status = '1' and (select l.action from audit_log l
    where l.biz_type = 'account' and l.biz_id = a.id::text and l.action in ('account.lock', 'account.unlock')
    order by l.seq desc limit 1) = 'account.lock';
alter table account add check (not platform_locked or status = '1');
