-- The demands of a category are found by their own column of categories, and no longer by the lines of the categories above.
create index demand_by_kind on demand using gin (kinds) where status in ('3', '4', '5', '6', '7', '9') and del_flag = '0';
drop index demand_item_father;

-- The cities, by whose distance a list is sorted.
create index region_level on region (level, code);
