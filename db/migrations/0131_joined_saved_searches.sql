-- News of the same saved search replaces what was not read yet (src/shared/message/kinds.ts).
drop index message_joined;
create index message_joined on message (account_id, kind, biz_id)
  where is_read = '0' and kind in (
    'savedSearchHit', 'questionAsked', 'questionAnswered', 'quoteReceived', 'quoteWithdrawn', 'contractApproved', 'contractRejected',
    'contractRecalled', 'contractScanned', 'contractScanRefused', 'contractPersons', 'contractOwnPersons', 'contractChangeRefused',
    'contractChangeRecalled', 'contractChangeApproved', 'contractChangeRejected');
