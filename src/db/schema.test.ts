import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { withClient } from '../../test/support/postgres.ts'
import { createDatabaseLocation, TEST_ENGINE } from '../../test/support/store.ts'
import { readMigrations } from './migrate.ts'

/** The statements of all migrations of an engine. */
async function readSchema(engine: 'sqlite' | 'postgres'): Promise<string> {
  return (await readMigrations(engine)).map(({ sql }) => sql).join('\n')
}

/** Tables that belong to no member, or are read before it is known which. */
const SHARED = new Set([
  'admin_log',
  'members',
  'demo_deletion',
  'emails',
  'directory_changes',
  'directory_entries',
  'directory_terms',
  'directory_version',
  'former_usernames',
  'one_time_links',
  'oauth_clients',
  'anonymous_idempotency_records',
  'passkey_challenges',
  'sign_in_windows',
  'pending_identities',
])
/** Those of them with a member, to which a transaction that acts for another member has no access. */
const GUARDED = ['emails', 'former_usernames', 'members', 'one_time_links', 'pending_identities']
/** Private, but found by another key first: a token by its hash, a job by its number. */
const KEYED_OTHERWISE = new Set([
  'api_tokens',
  'jobs',
  'identities',
  'passkeys',
  'browser_sessions',
  'authorization_codes',
  'access_tokens',
  'refresh_tokens',
])
/** They find work across members, for the service itself. */
const SERVICE_INDEXES = new Set([
  'uploads_by_expiry',
  'jobs_active',
  'browser_sessions_by_expiry',
  'grants_by_expiry',
  'idempotency_records_by_expiry',
  'exports_by_expiry',
  'networks_by_deletion',
  'calendars_by_next_sync',
  'calendars_failing',
  'subscribed_books_by_next_pull',
  'subscribed_books_failing',
  'networks_to_prepare',
  'jobs_by_expiry',
  'access_tokens_by_expiry',
  'refresh_tokens_by_expiry',
  'api_tokens_by_revocation',
  'api_tokens_by_expiry',
  'cloud_agents_by_removal',
  'credential_names_by_time',
  'agent_limits_by_change',
  'connection_exports_by_expiry',
  'known_browsers_by_seen',
  'connection_attempts_by_update',
  'deliveries_by_purge',
  'deliveries_queued',
  'endpoints_by_attempt',
  'endpoints_by_expiry',
  'endpoints_failing',
  'reminder_settings_by_feed',
  'reminder_settings_by_next',
  'devices_by_revocation',
])

test('both engines have the same tables with the same columns in the same order', async () => {
  const sqlite = tablesOf(await readSchema('sqlite'))
  const postgres = tablesOf(await readSchema('postgres'))
  const names = (tables: ReadonlyMap<string, unknown>) => [...tables.keys()].sort()
  assert.deepEqual(names(postgres), names(sqlite))
  for (const [table, columns] of sqlite)
    assert.deepEqual(postgres.get(table), columns.map(asOnPostgres), table)
})

test('every private table begins its key with the member, and so do its indexes', async () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    const schema = await readSchema(engine)
    for (const [table, columns] of tablesOf(schema)) {
      if (SHARED.has(table) || KEYED_OTHERWISE.has(table)) continue
      assert.match(columns[0] ?? '', /^member_id /, table)
      assert.match(
        bodyOf(schema, table),
        /primary key \(member_id|member_id +(?:integer|bigint) primary key/i,
      )
    }
    const indexes = [
      ...schema.matchAll(/create (?:unique )?index (\w+) on (?:public\.)?(\w+)[^(]*\((\w+)/gi),
    ]
    for (const [, index = '', table = '', first] of indexes)
      if (!SHARED.has(table) && !SERVICE_INDEXES.has(index)) assert.equal(first, 'member_id', index)
  }
})

const POSTGRES = { skip: TEST_ENGINE !== 'postgres' && 'SQLite has no row-level security' }

test('row-level security is forced on every private table of PostgreSQL', POSTGRES, async () => {
  const tables = [...tablesOf(await readSchema('postgres')).keys()]
  await using location = await createDatabaseLocation()
  const guarded = await withClient(location.address, async (client) => {
    const { rows } = await client.query<{ name: string }>(`
      select relname as name from pg_class join pg_policies on tablename = relname
      where relrowsecurity and relforcerowsecurity and policyname = 'own_rows' and cmd = 'ALL'
        and qual ~ '^\\(member_id = .*acting_member'`)
    return rows.map(({ name }) => name)
  })
  const isPrivate = (table: string) => !SHARED.has(table) || GUARDED.includes(table)
  assert.deepEqual(guarded.toSorted(), tables.filter(isPrivate).toSorted())
})

test('other policies are those of the service, of sign-in and of the directory', async () => {
  const schema = await readSchema('postgres')
  const others = [...schema.matchAll(/create policy (\w+ on \w+(?: for \w+)?)/g)].map(
    ([, policy = '']) => policy,
  )
  assert.deepEqual(others.sort(), [
    'public_reads on members for select',
    'service_claims on jobs for update',
    'service_finds on access_tokens for select',
    'service_finds on agent_limits for select',
    'service_finds on api_tokens for select',
    'service_finds on browser_sessions for select',
    'service_finds on calendars for select',
    'service_finds on cloud_agents for select',
    'service_finds on connection_attempts for select',
    'service_finds on connection_exports for select',
    'service_finds on credential_names for select',
    'service_finds on deliveries for select',
    'service_finds on devices for select',
    'service_finds on endpoints for select',
    'service_finds on exports for select',
    'service_finds on grants for select',
    'service_finds on idempotency_records for select',
    'service_finds on jobs for select',
    'service_finds on known_browsers for select',
    'service_finds on networks for select',
    'service_finds on refresh_tokens for select',
    'service_finds on reminder_settings for select',
    'service_finds on subscribed_books for select',
    'service_finds on uploads for select',
    'service_numbers on networks for insert',
    'service_numbers on reminder_settings for insert',
    'service_sweeps on access_tokens for delete',
    'service_sweeps on agent_limits for delete',
    'service_sweeps on api_tokens for delete',
    'service_sweeps on browser_sessions for delete',
    'service_sweeps on cloud_agents for delete',
    'service_sweeps on connection_attempts for delete',
    'service_sweeps on connection_exports for delete',
    'service_sweeps on credential_names for delete',
    'service_sweeps on deliveries for delete',
    'service_sweeps on devices for delete',
    'service_sweeps on endpoints for delete',
    'service_sweeps on exports for delete',
    'service_sweeps on grants for delete',
    'service_sweeps on idempotency_records for delete',
    'service_sweeps on known_browsers for delete',
    'service_sweeps on refresh_tokens for delete',
    'sign_in on access_tokens for select',
    'sign_in on agent_limits for select',
    'sign_in on api_tokens for select',
    'sign_in on authorization_codes for select',
    'sign_in on browser_sessions for select',
    'sign_in on cloud_agents for select',
    'sign_in on devices for select',
    'sign_in on grants for select',
    'sign_in on identities for select',
    'sign_in on passkeys for select',
    'sign_in on refresh_tokens for select',
    ...['admin_log', ...GUARDED].map((table) => `without_member on ${table}`),
  ])
})

test('docs/running/data.md says of every table how long its rows are kept', async () => {
  const data = await readFile(new URL('../../docs/running/data.md', import.meta.url), 'utf8')
  const [, section = ''] = data.split('## What is kept and for how long')
  const rows = section.split('\n## ')[0]?.match(/^\| `.*$/gm) ?? []
  const documented = rows.flatMap((row) => row.split('|')[1]?.match(/\w+/g) ?? [])
  const tables = new Set(['schema_migrations'])
  for (const engine of ['sqlite', 'postgres'] as const)
    for (const table of allTables(await readSchema(engine))) tables.add(table)
  assert.deepEqual(documented.toSorted(), [...tables].sort())
})

/** Virtual tables too; those that an engine makes under a virtual table belong to it. */
function allTables(schema: string): string[] {
  const names = [
    ...withoutComments(schema).matchAll(/^create (?:virtual )?table (?:if not exists )?(\w+)/gim),
  ].map(([, name = '']) => name)
  return names.filter(
    (name) => !names.some((other) => name.startsWith(`${other}_`) && FTS.test(name)),
  )
}

const FTS = /_(data|idx|content|docsize|config)$/

/** Each table's columns, as `name type [not null] [default …]`; virtual tables are left out. */
function tablesOf(schema: string): Map<string, string[]> {
  const tables = [
    ...withoutComments(schema).matchAll(/^create table (?:if not exists )?(\w+) \(\s*([^;]*)\)/gim),
  ]
  return new Map(
    tables.map(([, table = '', body = '']) => [
      table,
      body
        .split(/,(?![^(]*\))/)
        .map((line) =>
          line
            .trim()
            .replace(/\s+/g, ' ')
            .replace(/^"(\w+)"/, '$1'),
        )
        .filter((line) => /^\w+ (integer|text|blob|bigint|bytea|tsvector)/i.test(line))
        .map(columnOf),
    ]),
  )
}

const withoutComments = (sql: string) => sql.replaceAll(/--.*$/gm, '')

/** Name, type, default and whether it is required, in one form. */
function columnOf(line: string): string {
  const [name = '', type = ''] = line.split(' ')
  const required = /not null|primary key/i.test(line) ? ' not null' : ''
  const initial = /default ('[^']*'|\d+)/.exec(line)?.[0] ?? ''
  const collated = / collate "C"/.test(line) ? ' collate "C"' : ''
  return `${name} ${type}${collated}${required}${initial === '' ? '' : ` ${initial}`}`
}

function asOnPostgres(column: string): string {
  return column
    .replace(/^(\w+) integer/, '$1 bigint')
    .replace(/^(\w+) text/, '$1 text collate "C"')
    .replace(/^(\w+) blob/, '$1 bytea')
}

function bodyOf(schema: string, table: string): string {
  return (
    new RegExp(`^create table ${table} \\(([^;]*)`, 'im').exec(withoutComments(schema))?.[1] ?? ''
  )
}
