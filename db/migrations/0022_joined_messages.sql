-- News that one person may cause many times about one object, as long as its reader has not read them: each replaces the one before it.
create index message_joined on message (account_id, kind, biz_id)
  where is_read = '0' and kind in ('questionAsked', 'quoteReceived', 'quoteWithdrawn');
