-- English names of regions, so that a page in English reads in English. They are written at the start (db/seed/region-names.json).
alter table region add column name_en text not null default '';
