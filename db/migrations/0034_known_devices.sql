-- The limits of calls ask whether anybody has signed in from a device.
create index device_hash on device (device_hash);
