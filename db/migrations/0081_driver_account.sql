-- A driver of a lessor has an account for the machines they run, and sees nothing of the company.
alter table account add column driver_only boolean not null default false;
alter table account add constraint account_driver_only check (not driver_only or (user_type = '4' and not is_admin));
