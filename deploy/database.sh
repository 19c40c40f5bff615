#!/bin/sh
# Runs once, when the database container is made: the app's user owns its own database and nothing more.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$APP_PASSWORD" -U postgres -d postgres <<'SQL'
create role zhujitong login nosuperuser nocreatedb nocreaterole noreplication password :'password';
create database zhujitong owner zhujitong template template0 encoding 'UTF8' locale_provider builtin builtin_locale 'C.UTF-8' locale 'C.UTF-8';
revoke all on database zhujitong from public;
SQL
