#!/bin/sh
# Creates Weft's roles and database when the PostgreSQL container starts for the first time: `weft` owns and migrates the
# tables, `weft_serving` reads and writes rows, and `weft_backup` reads all rows. Each has the password of its URL.
set -eu
password() {
  sed 's|^postgres://[^:]*:\([^@]*\)@.*|\1|' "${SECRETS:-/run/secrets}/$1"
}
psql -v ON_ERROR_STOP=1 -U postgres \
  -v owner="$(password weft_owner_database)" \
  -v serving="$(password weft_database)" \
  -v backup="$(password weft_backup_database)" <<'SQL'
create role weft login password :'owner';
create role weft_serving login password :'serving';
create role weft_backup login bypassrls password :'backup';
grant pg_read_all_data to weft_backup;
create database weft owner weft encoding 'UTF8' template template0;
SQL
