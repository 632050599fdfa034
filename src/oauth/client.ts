/** OAuth clients: apps that registered themselves, and apps whose client_id is the address of a document. */

import { DAY } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { statement } from '../db/statement.ts'
import type { Database, Transaction } from '../db/database.ts'
import type { ClientDocuments } from './client-document.ts'
import type { ClientDescription } from './client-metadata.ts'

export interface Client extends ClientDescription {
  readonly clientId: string
  /** False: it describes itself by a document at its client_id, an https URL. */
  readonly registered: boolean
}

export interface ClientDirectory {
  /**
   * Undefined: unknown. A client_id that is an https URL is fetched for `askers`, as `ClientDocuments.read` counts them.
   * Throws a `Refusal`, for the person to read, when that document cannot be used.
   */
  find(clientId: string, askers: readonly string[]): Promise<Client | undefined>
  /** Fetches nothing: undefined for a client that describes itself by a document. */
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
    find: (clientId, askers) =>
      isDocumentAddress(clientId) ? documents.read(clientId, askers) : findRegistered(clientId),
  }
}

/** Whether the client describes itself by a document at its client_id. */
export function isDocumentAddress(clientId: string): boolean {
  return clientId.startsWith('https://')
}

const ID_PREFIX = 'client'
const REGISTERED_ID = /^client_[\w-]{22}$/

/** An app that no member ever let in is forgotten. */
const UNUSED_LIFETIME = 30 * DAY

export async function registerClient(
  tx: Transaction,
  { name, uri, redirectUris }: ClientDescription,
  now: number,
): Promise<Client> {
  const clientId = newId(ID_PREFIX)
  await tx.run(INSERT, {
    client_id: clientId,
    name,
    client_uri: uri,
    redirect_uris: JSON.stringify(redirectUris),
    created_at: now,
  })
  return { clientId, name, uri, redirectUris, registered: true }
}

/** From then on it is kept. Clients with a document are not in the table, and nothing happens. */
export async function noteGranted(tx: Transaction, clientId: string, now: number): Promise<void> {
  await tx.run(GRANTED, { client_id: clientId, now })
}

/** Tells how many clients were forgotten. */
export async function sweepClients(tx: Transaction, now: number): Promise<number> {
  return tx.run(SWEEP, { before: now - UNUSED_LIFETIME })
}

interface ClientRow {
  readonly client_id: string
  readonly name: string
  readonly client_uri: string | null
  readonly redirect_uris: string
}

function clientOf(row: ClientRow): Client {
  return {
    clientId: row.client_id,
    name: row.name,
    uri: row.client_uri,
    // As registerClient wrote it.
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    registered: true,
  }
}

/** By the primary key, as is GRANTED. */
const BY_ID = statement<{ client_id: string }, ClientRow>(
  'select client_id, name, client_uri, redirect_uris from oauth_clients where client_id = :client_id',
)

const GRANTED = statement<{ client_id: string; now: number }>(
  'update oauth_clients set granted_at = :now where client_id = :client_id and granted_at is null',
)

/** By oauth_clients_never_granted. */
const SWEEP = statement<{ before: number }>(
  'delete from oauth_clients where granted_at is null and created_at < :before',
)

const INSERT = statement<{
  client_id: string
  name: string
  client_uri: string | null
  redirect_uris: string
  created_at: number
}>(`
  insert into oauth_clients (client_id, name, client_uri, redirect_uris, created_at)
  values (:client_id, :name, :client_uri, :redirect_uris, :created_at)`)
