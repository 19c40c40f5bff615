-- While such a message about the same contract is unread, the next one takes its place (src/shared/message/kinds.ts).
drop index message_joined;
create index message_joined on message (account_id, kind, biz_id)
  where is_read = '0' and kind in ('questionAsked', 'quoteReceived', 'quoteWithdrawn', 'contractSubmitted', 'contractApproved', 'contractRejected',
    'contractToConfirm', 'contractRecalled', 'contractReturned', 'contractScanned', 'contractScanRefused', 'contractPersons', 'contractOwnPersons',
    'contractChangeAsked', 'contractChangeRefused', 'contractChangeRecalled', 'contractChangeSubmitted', 'contractChangeApproved',
    'contractChangeRejected');
-- Another bank account may be stopped while it waits its day.
alter table contract_change drop constraint contract_change_status_check;
alter table contract_change add constraint contract_change_status_check check (status in ('0', '1', '2', '3', '4', '5'));
