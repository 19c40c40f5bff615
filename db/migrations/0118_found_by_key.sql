-- What is looked up by a key has an index, where a look read the whole table: the bookings of an award, the messages about a demand or a contract in an
-- evidence pack, what an account made, and the certifications in force of a company.
create index equipment_booking_award on equipment_booking (award_line_id) where award_line_id is not null;
create index message_about on message (biz_id, biz_type) where biz_type in ('demand', 'contract');
create index demand_account on demand (account_id);
create index quote_account on quote (account_id);
create index certification_company on certification (company_id, kind) where company_id is not null;
create index contact_look_demand on contact_look (demand_id) where demand_id is not null;
create index sign_in_at on sign_in (at);

-- The lines of a demand are found by the key of their quote line as well.
drop index award_line_item;
create index award_line_quote on award_line (quote_line_id);

-- Another index begins with the same columns.
drop index quote_demand, equipment_same_number;
drop index demand_region;

-- The readers of a broadcast are counted without its messages.
drop index message_broadcast;
create index message_broadcast on message (biz_id) where biz_type = 'broadcast' and is_read = '1';

-- The lessors of machines that nobody confirmed are found without the machines.
drop index equipment_confirmed;
create index equipment_confirmed on equipment (confirmed_at desc) include (company_id)
  where audit_status = '2' and shelf_status = '1' and del_flag = '0';

-- Related companies are compared by their letters and digits, in which no index had them.
drop index company_legal_person, company_contact_phone, company_address;
create index company_legal_person on company (lower(regexp_replace(legal_person, '[^[:alnum:]]', '', 'g')))
  where lower(regexp_replace(legal_person, '[^[:alnum:]]', '', 'g')) <> '';
create index company_contact_phone on company (lower(regexp_replace(contact_phone, '[^[:alnum:]]', '', 'g')))
  where lower(regexp_replace(contact_phone, '[^[:alnum:]]', '', 'g')) <> '';
create index company_address on company (city_id, lower(regexp_replace(address, '[^[:alnum:]]', '', 'g')))
  where lower(regexp_replace(address, '[^[:alnum:]]', '', 'g')) <> '';

-- Whether a contract was drafted of a won quote. It is given up only together with the quote, so the clock asks those without one only.
alter table quote add column drafted boolean not null default false;
update quote q set drafted = true where exists (
  select from contract c where c.demand_id = q.demand_id and c.lessor_company_id = q.company_id and c.status <> '7') and q.status = '6';
create index quote_undrafted on quote (id) where status = '6' and not drafted;

-- How many days before the end of a document its lessor is notified next (src/server/equipment/expiry.ts); null after the last time.
alter table equipment_document add column remind_before integer default 45;
update equipment_document d set remind_before = case r.threshold when 45 then 7 when 7 then 0 end
  from (select subject_id, paper, valid_to, min(threshold) as threshold from reminder where subject = 'equipment' group by 1, 2, 3) r
  where r.subject_id = d.equipment_id and r.paper = d.kind and r.valid_to = d.valid_to;
create index equipment_document_end on equipment_document (valid_to) include (remind_before, equipment_id) where valid_to is not null;

-- Contracts whose history does not say yet that a party was locked or unlocked. Those of a large company are told by the clock.
create table contract_party_move (
  contract_id bigint not null references contract (id),
  id bigint generated always as identity,
  company_id bigint not null references company (id),
  account_id bigint not null references account (id),
  move text not null check (move in ('lock', 'unlock')),
  primary key (contract_id, id)
);
