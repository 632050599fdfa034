/** The role that serves requests, if another one owns the tables: it reads and writes rows, and cannot change the schema. */

import type { Client } from 'pg'

/** Only migrations write it; the serving role reads it. */
const READ_ONLY_TABLE = 'schema_migrations'

/** The role of a connection. */
export async function currentRole(client: Client): Promise<string> {
  const { rows } = await client.query<{ role: string }>('select current_user as role')
  return rows[0]?.role ?? ''
}

/** An arbitrary advisory lock ID. Two grants at the same time would fail with “tuple concurrently updated”. */
const GRANT_LOCK = 8_437_622

/**
 * Lets `role` read and write the rows of every table. The client is the owner's. Does nothing if the role already has the
 * privileges.
 */
export async function grantRows(client: Client, role: string): Promise<void> {
  // Longer than for migrations, because no reads wait behind it.
  await client.query(`set lock_timeout = '30s'; select pg_advisory_lock(${GRANT_LOCK})`)
  try {
    const { rows } = await client.query<{ lacks: boolean }>(LACKS, [role, READ_ONLY_TABLE])
    if (rows[0]?.lacks === true) await grant(client, role)
  } finally {
    await client.query(`select pg_advisory_unlock(${GRANT_LOCK})`)
  }
}

async function grant(client: Client, role: string): Promise<void> {
  const to = client.escapeIdentifier(role)
  await client.query(`
    grant usage on schema public to ${to};
    grant select, insert, update, delete on all tables in schema public to ${to};
    grant usage on all sequences in schema public to ${to};
    revoke insert, update, delete on ${READ_ONLY_TABLE} from ${to}`)
}

const LACKS = `
  select not has_schema_privilege($1, 'public', 'usage') or exists (
    select 1 from pg_class c where c.relnamespace = 'public'::regnamespace and (
      (c.relkind in ('r', 'p') and not (
        has_table_privilege($1, c.oid, 'select') and (c.relname = $2 or (
          has_table_privilege($1, c.oid, 'insert') and has_table_privilege($1, c.oid, 'update') and
          has_table_privilege($1, c.oid, 'delete')))))
      or (c.relkind = 'S' and not has_sequence_privilege($1, c.oid, 'usage')))) as lacks`

/** What a role could do beyond reading and writing rows. */
export interface RolePowers {
  readonly role: string
  /** It owns tables, so it can change them and turn off row-level security. */
  readonly ownsTables: boolean
  /** It can create tables and functions. */
  readonly canCreate: boolean
}

/** Reads the powers of the role that the client connected as. */
export async function readPowers(client: Client): Promise<RolePowers> {
  const { rows } = await client.query<{ role: string; owns: boolean; creates: boolean }>(POWERS)
  const { role = '', owns = false, creates = false } = rows[0] ?? {}
  return { role, ownsTables: owns, canCreate: creates }
}

/** `pg_has_role`: a member of the owner can act as the owner. */
const POWERS = `
  select current_user as role,
    exists (select 1 from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and pg_has_role(current_user, c.relowner, 'member')) as owns,
    has_schema_privilege(current_user, 'public', 'create') or
      has_database_privilege(current_user, current_database(), 'create') as creates`
