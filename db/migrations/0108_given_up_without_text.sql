-- As 0106, for a contract that was given up: the text that was sent stays only where nobody has taken it back since.
update contract c set text = '', text_hash = null, text_en = ''
where c.status = '7' and c.text_hash is not null and (
  select e.move from contract_event e where e.contract_id = c.id and e.move in ('send', 'recall', 'return') order by e.seq desc limit 1
) in ('recall', 'return');
