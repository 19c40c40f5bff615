-- Why a demand is procured directly, for the owner, the approver and the evidence pack. Demands from before it have none.
alter table demand add column method_reason text not null default '' check (length(method_reason) <= 200);
