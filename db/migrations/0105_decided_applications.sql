-- How long applications waited is read from their events, whose decisions are found by their moment.
create index certification_event_decided on certification_event (at) where action in ('pass', 'reject');
drop index certification_reviewed;
