#!/bin/sh
# Creates the secrets of compose.yaml: a password of its own for each role. Existing files are kept.
set -eu
cd "$(dirname "$0")/.."
directory=${1:-secrets}
mkdir -p "$directory"
# Containers run as other users, so they can read the files; on this machine, only the owner of the folder can.
chmod 700 "$directory"
umask 022

secret() {
  [ -s "$directory/$1" ] || printf "$2" "$(openssl rand -hex 24)" >"$directory/$1"
}

secret postgres_password '%s'
secret weft_owner_database 'postgres://weft:%s@postgres/weft'
secret weft_database 'postgres://weft_serving:%s@postgres/weft'
secret weft_secret_key '%s'
secret weft_backup_database 'postgres://weft_backup:%s@postgres/weft'
