-- Ids that people see, and that would count the quotes of others if they were consecutive. The upper bits are the milliseconds since 2020, so
-- later rows have larger ids; the lower twelve are a counter shifted by a hash that only this database can compute, so they tell nobody
-- how many rows were made in between.
do $$
begin
  execute format($make$
    create function timed_id(counter regclass) returns bigint language plpgsql volatile as $body$
    declare
      ms bigint := floor(extract(epoch from clock_timestamp()) * 1000)::bigint - 1577836800000;
      shift bytea := sha256(convert_to(ms || %L, 'UTF8'));
    begin
      return ms * 4096 + ((nextval(counter) + get_byte(shift, 0) * 16 + get_byte(shift, 1) %% 16) & 4095);
    end $body$
  $make$, gen_random_uuid());
end $$;

create sequence quote_counter;
alter table quote alter column id drop identity;
alter table quote alter column id set default timed_id('quote_counter');
alter sequence quote_counter owned by quote.id;

-- A quote is announced to its demand's owner by messages.
create sequence message_counter;
alter table message alter column id drop identity;
alter table message alter column id set default timed_id('message_counter');
alter sequence message_counter owned by message.id;

-- Whom to call about a quote and until when it binds are sealed with it and become readable at the opening. The application seals those
-- of the version before, because the key is not in the database.
alter table quote alter column contact_name drop not null;
alter table quote alter column contact_phone drop not null;
alter table quote alter column valid_until drop not null;
alter table quote add column sealed_contact bytea;
create index quote_unsealed on quote (id) where open_time is null and contact_name is not null;
