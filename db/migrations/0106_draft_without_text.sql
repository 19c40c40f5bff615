-- A contract that was recalled or returned kept the text that was sent, and showed it beside clauses that were changed since when it was given up later.
-- The text of a draft follows its clauses; each version that was agreed stands in contract_version.
update contract set text = '', text_hash = null, text_en = '' where status = '0' and text_hash is not null;
