/** OAuth clients: registered apps, and apps whose client_id is the URL of a metadata document. */

import { DAY, HOUR, MINUTE } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { insertRow } from '../db/insert-row.ts'
import { statement } from '../db/statement.ts'
import { SWEEP_BATCH, sweepOf } from '../db/sweep-batch.ts'
import { GRANT_LIFETIME_MS } from './grant.ts'
import type { Database, Transaction } from '../db/database.ts'
import type { ClientDocuments } from './client-document.ts'
import type { ClientDescription, Client } from './client-metadata.ts'

export interface ClientDirectory {
  /**
   * Undefined if the client is unknown. Fetches a client_id that is an https URL. For `requesters`, see
   * `ClientDocuments.read`.
   *
   * @throws {RequestError} any error of `ClientDocuments.read`.
   */
  find(clientId: string, requesters: readonly string[]): Promise<Client | undefined>
  /** Never fetches: undefined for a client with a metadata document. */
  findRegistered(clientId: string): Promise<Client | undefined>
}

export function clientDirectory({
  database,
  documents,
}: {
  readonly database: Database
  readonly documents: ClientDocuments
}): ClientDirectory {
  const findRegistered = async (clientId: string) => {
    if (!REGISTERED_ID.test(clientId)) return undefined
    const row = await database.get(BY_ID, { client_id: clientId })
    return row && clientOf(row)
  }
  return {
    findRegistered,
    find: (clientId, requesters) =>
      isDocumentAddress(clientId) ? documents.read(clientId, requesters) : findRegistered(clientId),
  }
}

export function isDocumentAddress(clientId: string): boolean {
  return clientId.startsWith('https://')
}

const ID_PREFIX = 'client'
const REGISTERED_ID = /^client_[\w-]{22}$/

/** A client that no member has allowed is removed after this time, because anyone can register any number of them. */
const UNUSED_LIFETIME_MS = DAY
/** A client with an authorization request in this time is kept, because a member may be about to decide. */
const REQUEST_LIFETIME_MS = HOUR
/** `requested_at` is written at most once in this time. */
const REQUEST_RESOLUTION_MS = 10 * MINUTE

/** A client is also removed some time after its last grant has ended. No grant outlives `GRANT_LIFETIME_MS`. */
const ABANDONED_LIFETIME = GRANT_LIFETIME_MS + 30 * DAY

export async function registerClient(
  tx: Transaction,
  { name, uri, redirectUris }: ClientDescription,
  now: number,
): Promise<Client> {
  const clientId = newId(ID_PREFIX)
  await insertRow(tx, 'oauth_clients', {
    client_id: clientId,
    name,
    client_uri: uri,
    redirect_uris: JSON.stringify(redirectUris),
    created_at: now,
  })
  return { clientId, name, uri, redirectUris, registered: true }
}

/** Records when a member last connected the client. Clients with a metadata document are not in the table. */
export async function recordGranted(tx: Transaction, clientId: string, now: number): Promise<void> {
  await tx.run(GRANTED, { client_id: clientId, now })
}

/** Keeps a client that no member has allowed yet while a member decides. */
export async function recordRequested(
  database: Database,
  { clientId, registered }: Client,
  now: number,
): Promise<void> {
  const seen = { client_id: clientId, before: now - REQUEST_RESOLUTION_MS }
  if (!registered || !(await database.get(REQUEST_DUE, seen))) return
  await database.write((tx) => tx.run(REQUESTED, { client_id: clientId, now }))
}

/** Returns how many clients were removed. */
export async function sweepClients(tx: Transaction, now: number): Promise<number> {
  const unused = now - UNUSED_LIFETIME_MS
  const unrequested = now - REQUEST_LIFETIME_MS
  return (await tx.run(SWEEP, { unused, unrequested })) + (await sweepAbandoned(tx, now))
}

/** By oauth_clients_by_grant. */
const sweepAbandoned = sweepOf('oauth_clients', 'client_id', 'granted_at', ABANDONED_LIFETIME)

/** What the response to a registration contains. */
export async function findRegistration(
  database: Database,
  clientId: string,
): Promise<{ readonly client: Client; readonly createdAt: number } | undefined> {
  const row = await database.get(BY_ID, { client_id: clientId })
  return row && { client: clientOf(row), createdAt: row.created_at }
}

interface ClientRow {
  readonly client_id: string
  readonly name: string
  readonly client_uri: string | null
  readonly redirect_uris: string
  readonly created_at: number
}

function clientOf(row: ClientRow): Client {
  return {
    clientId: row.client_id,
    name: row.name,
    uri: row.client_uri,
    // Written by registerClient.
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    registered: true,
  }
}

/** Uses the primary key, like the next three. */
const BY_ID = statement<{ client_id: string }, ClientRow>(`
  select client_id, name, client_uri, redirect_uris, created_at
  from oauth_clients where client_id = :client_id`)

const REQUEST_DUE = statement<{ client_id: string; before: number }, { client_id: string }>(`
  select client_id from oauth_clients
  where client_id = :client_id and granted_at is null and coalesce(requested_at, 0) < :before`)

const REQUESTED = statement<{ client_id: string; now: number }>(
  'update oauth_clients set requested_at = :now where client_id = :client_id and granted_at is null',
)

const GRANTED = statement<{ client_id: string; now: number }>(
  'update oauth_clients set granted_at = :now where client_id = :client_id',
)

/** Uses oauth_clients_never_granted. */
const SWEEP = statement<{ unused: number; unrequested: number }>(`
  delete from oauth_clients where client_id in (
    select client_id from oauth_clients
    where granted_at is null and created_at < :unused and coalesce(requested_at, 0) < :unrequested
    order by created_at limit ${SWEEP_BATCH})`)
