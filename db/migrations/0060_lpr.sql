-- The one-year loan prime rate is a list by day; the single figure holds from the day on which it was set.
update setting set key = 'lpr', value = jsonb_build_object('entries', jsonb_build_array(jsonb_build_object(
  'fromDay', to_char(updated_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD'), 'bp', value -> 'lprBp')))
where key = 'rates' and jsonb_typeof(value -> 'lprBp') = 'number';
