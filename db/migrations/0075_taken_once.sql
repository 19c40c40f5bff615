-- The taken periods of a machine are computed once for each statement that changes its bookings. The trigger of 0044 did it for each row, so booking
-- n units of a lot read n² bookings.
drop trigger equipment_taken on equipment_booking;
drop function equipment_taken();

create function refresh_taken(machines bigint[]) returns void
language plpgsql as $$
begin
  -- Of two bookings at once the second waits here and then sees the first. In one order, so that two statements never wait for each other.
  perform from equipment where id = any(machines) order by id for no key update;
  update equipment e set taken = b.taken
  from (select machine, (select range_agg(period) from equipment_booking where equipment_id = machine) as taken from unnest(machines) machine) b
  where e.id = b.machine and e.taken is distinct from b.taken;
end $$;

create function equipment_taken() returns trigger
language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then perform refresh_taken(array(select distinct equipment_id from new_bookings));
    when 'DELETE' then perform refresh_taken(array(select distinct equipment_id from old_bookings));
    else perform refresh_taken(array(select equipment_id from old_bookings union select equipment_id from new_bookings));
  end case;
  return null;
end $$;
create trigger equipment_taken_insert after insert on equipment_booking referencing new table as new_bookings for each statement execute function equipment_taken();
create trigger equipment_taken_update after update on equipment_booking referencing old table as old_bookings new table as new_bookings for each statement execute function equipment_taken();
create trigger equipment_taken_delete after delete on equipment_booking referencing old table as old_bookings for each statement execute function equipment_taken();
