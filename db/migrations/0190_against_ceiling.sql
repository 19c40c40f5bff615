-- Whether the rent of an award's line is held against the ceiling of its position: one for the same unit of time and the same duties. What was awarded
-- before, or is by the version before while both run, counts by the unit alone.
alter table award_line add column against_ceiling boolean not null default true;
