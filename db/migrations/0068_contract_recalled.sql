-- When the lessee last took a sent contract back: from then on there is a day at least to send it again.
alter table contract add column recalled_at timestamptz;

-- The clock asks for sent contracts and for drafts that came back by when their time is over.
create index contract_unconfirmed on contract (award_id) where status in ('0', '1');
create index award_lapse_award on award_lapse (award_id, company_id);
