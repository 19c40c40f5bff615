-- The smaller lists find their rows by their owner as well (decision 50).
create index price_ceiling_dept on price_ceiling (dept_id, category_id);
create index blacklist_proposer on blacklist (proposer_id);
create index article_managed on article (tab, status, publish_time, id);
