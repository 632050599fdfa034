#!/bin/sh
# Creates Weft's roles and database when the PostgreSQL container starts for the first time.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -v password="$(cat /run/secrets/postgres_password)" <<'SQL'
create role weft login password :'password';
create role weft_backup login bypassrls password :'password';
grant pg_read_all_data to weft_backup;
create database weft owner weft encoding 'UTF8' template template0;
SQL
