-- A certification that ended because its person was moved has an event of its own. Its note is the department, worded where it is read.
alter table certification_event drop constraint certification_event_action_check,
  add constraint certification_event_action_check check (action in ('submit', 'withdraw', 'pass', 'reject', 'revoke', 'expire', 'leave'));

update certification set reason = '' where status = '6' and reason ~ '^调往.+，不再属于该项目部$';
update certification_event set action = 'leave', note = regexp_replace(note, '^调往(.+)，不再属于该项目部$', '\1')
  where action = 'revoke' and note ~ '^调往.+，不再属于该项目部$';
