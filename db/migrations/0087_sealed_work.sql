-- What the database does to answer a lessor does not depend on who else has quoted: their own quote and the changes of a demand are found without reading the
-- quotes of others and their events.
create index quote_of_company on quote (demand_id, company_id, id);
create index demand_event_changes on demand_event (demand_id, id) where move in ('amend', 'extend');
