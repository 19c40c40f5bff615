-- Feedback that waits for an answer is listed the oldest first, all other the newest first (src/server/feedback/queries.ts).
drop index feedback_status;
create index feedback_status on feedback (status, (case when status in ('0', '1') then update_time end), update_time desc, id desc);
