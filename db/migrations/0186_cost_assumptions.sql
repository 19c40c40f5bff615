-- Landed costs are computed with the assumptions that were in force at the opening, so a later change of the setting leaves what was compared and decided.
-- Null before the opening, and for demands that an earlier version opened: those are computed with the setting of the day.
alter table demand add column cost_assumptions jsonb;
