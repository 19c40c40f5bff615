-- Companies that have something in common with another one.
create index company_legal_person on company (legal_person) where legal_person <> '';
create index company_contact_phone on company (contact_phone) where contact_phone <> '';
create index company_address on company (city_id, address) where address <> '';
