-- The job that notifies lessors has the name of what it does; items of it that are retried or set aside keep theirs.
update failed_item set job = 'notifyLessors' where job = 'tellLessors';
