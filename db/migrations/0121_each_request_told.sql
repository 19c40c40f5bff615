-- What asks somebody to act on a contract or an amendment is a message each time (src/shared/message/kinds.ts).
drop index message_joined;
create index message_joined on message (account_id, kind, biz_id)
  where is_read = '0' and kind in (
    'questionAsked', 'questionAnswered', 'quoteReceived', 'quoteWithdrawn', 'contractApproved', 'contractRejected', 'contractRecalled',
    'contractScanned', 'contractScanRefused', 'contractPersons', 'contractOwnPersons', 'contractChangeRefused', 'contractChangeRecalled',
    'contractChangeApproved', 'contractChangeRejected');
