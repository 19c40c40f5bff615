-- While the answer to a question about a demand is unread, the next one takes its place (src/shared/message/kinds.ts).
drop index message_joined;
create index message_joined on message (account_id, kind, biz_id)
  where is_read = '0' and kind in (
    'questionAsked', 'questionAnswered', 'quoteReceived', 'quoteWithdrawn', 'contractSubmitted', 'contractApproved', 'contractRejected',
    'contractToConfirm', 'contractRecalled', 'contractReturned', 'contractScanned', 'contractScanRefused', 'contractPersons', 'contractOwnPersons',
    'contractChangeAsked', 'contractChangeRefused', 'contractChangeRecalled', 'contractChangeSubmitted', 'contractChangeApproved',
    'contractChangeRejected');
