-- What erased people wrote when they cancelled goes with their account.
update cancellation set reason = '' where reason <> '' and account_id in (select id from account where del_flag = '2');
