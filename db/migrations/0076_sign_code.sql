-- What a code for signing is good for, as a keyed hash: the contract, the step, and the hash of the text or the bank account. Null for every other code.
alter table sms_code add column about bytea;

-- While such a message about the same contract is unread, the next one takes its place (src/shared/message/kinds.ts).
drop index message_joined;
create index message_joined on message (account_id, kind, biz_id)
  where is_read = '0' and kind in ('questionAsked', 'quoteReceived', 'quoteWithdrawn', 'contractSubmitted', 'contractApproved', 'contractRejected',
    'contractToConfirm', 'contractRecalled', 'contractReturned', 'contractScanned', 'contractScanRefused', 'contractPersons', 'contractChangeAsked',
    'contractChangeRefused', 'contractChangeRecalled');
