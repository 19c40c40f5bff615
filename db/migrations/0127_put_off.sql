-- Since when a lessor waits for their contract longer than was promised: the lessee gave more time while it was not sent, or took it back afterwards.
alter table quote add column put_off_at timestamptz;

-- What was put off before counts as until now: by the state of its contract, so whoever was shown the way out keeps it.
update quote q set put_off_at = a.due_moved_at from award a
  where a.demand_id = q.demand_id and a.due_moved_at is not null and q.status = '6'
    and not exists (select from contract c where c.award_id = a.id and c.lessor_company_id = q.company_id and c.status not in ('0', '7')
      and c.sent_at <= a.due_moved_at);
