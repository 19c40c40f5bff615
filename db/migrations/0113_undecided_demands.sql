-- The demands in evaluation by the time since which they are: the clock lets those fail that nobody decides.
create index demand_undecided on demand (open_time) where status = '4';
