-- Whose certification was taken away goes on with no contract. The status does not say so any more once they hand in again.
alter table account add column revoked boolean not null default false;
update account set revoked = true where audit_status = '6';
update account a set revoked = true from (
  select distinct on (c.account_id) c.account_id, e.action
  from certification_event e join certification c on c.id = e.certification_id
  where e.action in ('pass', 'revoke', 'expire')
  order by c.account_id, e.id desc) last
where last.account_id = a.id and last.action = 'revoke';
