/** The checks of `weft doctor` about the roles and connections of PostgreSQL. */

import {
  inspectRole,
  readConnectionUse,
  readServingPowers,
  type InspectedRole,
} from '../db/engines/inspect.ts'
import {
  failure,
  ok,
  reasonOf,
  runChecks,
  warning,
  type Finding,
  type CheckOutcome,
} from './doctor-finding.ts'
import type { Config } from '../config/config.ts'

/** None on SQLite. */
export async function checkPostgres(config: Config): Promise<Finding[]> {
  const { database } = config
  if (database.engine === 'sqlite') return []
  const serving = await inspectRole(database.url)
  return runChecks({
    database_role: () => checkServingRole(config),
    owner: () => checkOwner(database.ownerUrl, serving),
    backup_role: () => checkBackupRole(config, serving),
    connections: () => checkConnections(config, database.url),
  })
}

const TWO_ROLES =
  'Serve with a second role that owns nothing: see “Two roles” in docs/running/postgresql.md, and set WEFT_OWNER_DATABASE.'

/** A single role works. Two roles protect members from SQL injection. */
async function checkServingRole({ database }: Config): Promise<CheckOutcome | undefined> {
  const powers = await readServingPowers(database)
  if (!powers) return undefined
  const { role, ownsTables, canCreate } = powers
  if (ownsTables)
    return warning(
      `The role ${role} owns the tables, so it can change the schema and turn off row-level security.`,
      TWO_ROLES,
    )
  if (canCreate)
    return warning(
      `The role ${role} can create tables or functions in the database.`,
      `As the owner, run: revoke create on schema public from public, ${role}; and: revoke create on database … from public, ${role}`,
    )
  return ok(`The role ${role} can only read and write rows.`)
}

/** Migrations would change one database, and members would use the other. */
async function checkOwner(
  ownerUrl: string | undefined,
  serving: InspectedRole,
): Promise<CheckOutcome | undefined> {
  if (ownerUrl === undefined) return undefined
  const owner = await inspectRole(ownerUrl).catch((error: unknown) =>
    failure(
      `WEFT_OWNER_DATABASE cannot be opened: ${reasonOf(error)}.`,
      'Correct the URL. Weft needs it at every start, to migrate.',
    ),
  )
  if ('severity' in owner) return owner
  if (owner.databaseId !== serving.databaseId)
    return failure(
      `WEFT_OWNER_DATABASE names the database ${owner.database}, but WEFT_DATABASE names another one, ${serving.database}. Weft would migrate one and serve the other.`,
      'Use the same host and database in both URLs; only the role and the password differ.',
    )
  return owner.ownsTables
    ? ok(`The role ${owner.role} owns the tables.`)
    : failure(
        `The role ${owner.role} of WEFT_OWNER_DATABASE does not own all tables, so it cannot migrate.`,
        `Use the URL of the role that owns them, or run as that role: reassign owned by current_user to ${owner.role}`,
      )
}

/** A role that row-level security applies to would write empty backups, so backups by it are rejected. */
async function checkBackupRole(
  { backupDirectory, backupUrl, database }: Config,
  serving: InspectedRole,
): Promise<CheckOutcome | undefined> {
  if (database.engine === 'sqlite' || (backupDirectory === null && backupUrl === null))
    return undefined
  const role = await inspectRole(backupUrl ?? database.url).catch((error: unknown) =>
    failure(
      `WEFT_BACKUP_DATABASE cannot be opened: ${reasonOf(error)}.`,
      'Correct the URL. No backup is written until then.',
    ),
  )
  if ('severity' in role) return role
  if (role.databaseId !== serving.databaseId)
    return failure(
      `WEFT_BACKUP_DATABASE names another database than WEFT_DATABASE: ${role.database} instead of ${serving.database}.`,
      'Use the same host and database in both URLs; only the role and the password differ.',
    )
  if (!role.seesAllRows)
    return failure(
      `The role ${role.role} sees no rows of members, because row-level security hides them, so no backup can be written.`,
      backupUrl === null
        ? "Run: create role weft_backup login password '…' bypassrls; grant pg_read_all_data to weft_backup; and set WEFT_BACKUP_DATABASE to its URL."
        : `As a superuser, run: alter role ${role.role} bypassrls; grant pg_read_all_data to ${role.role}`,
    )
  return role.readsTables
    ? ok(`The role ${role.role} sees all rows.`)
    : failure(
        `The role ${role.role} is not allowed to read all tables, so no backup can be written.`,
        `As a superuser, run: grant pg_read_all_data to ${role.role}`,
      )
}

async function checkConnections(
  { databaseConnections: each }: Config,
  url: string,
): Promise<CheckOutcome> {
  const { accepted, limit, runningNodes } = await readConnectionUse(url)
  const nodes = Math.max(1, runningNodes)
  const processes = nodes === 1 ? '1 process' : `${nodes} running processes`
  const use = `${processes} with up to ${each} connections`
  if (nodes * each <= accepted)
    return ok(`PostgreSQL accepts ${accepted} connections, enough for ${use}.`)
  return warning(
    `${use} can open ${nodes * each}, but PostgreSQL accepts only ${accepted} (${limit}).`,
    `Set WEFT_DATABASE_CONNECTIONS to at most ${Math.floor(accepted / nodes)} on every node, or raise ${limit} by ${nodes * each - accepted}.`,
  )
}
