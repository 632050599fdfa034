/** OAuth clients: apps that registered themselves, and apps whose client_id is the address of a document. */

import { DAY } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { statement } from '../db/statement.ts'
import { SWEEP_BATCH } from '../db/sweep-batch.ts'
import { GRANT_LIFETIME } from './grant.ts'
import type { Database, Transaction } from '../db/database.ts'
import type { ClientDocuments } from './client-document.ts'
import type { ClientDescription } from './client-metadata.ts'

export interface Client extends ClientDescription {
  readonly clientId: string
  /** False: it describes itself by a document at its client_id, an https URL. */
  readonly registered: boolean
}

export interface ClientDirectory {
  /** Undefined: unknown. Throws a `Refusal`, for the person to read, when a client's document cannot be used. */
  find(clientId: string): Promise<Client | undefined>
}

export function clientDirectory({
  database,
  documents,
}: {
  readonly database: Database
  readonly documents: ClientDocuments
}): ClientDirectory {
  return {
    async find(clientId) {
      if (clientId.startsWith('https://')) return documents.read(clientId)
      if (!REGISTERED_ID.test(clientId)) return undefined
      const row = await database.get(BY_ID, { client_id: clientId })
      return row && clientOf(row)
    },
  }
}

const ID_PREFIX = 'client'
const REGISTERED_ID = /^client_[\w-]{22}$/

/** An app that no member ever let in is forgotten. */
const UNUSED_LIFETIME = 30 * DAY

/** And an app whose last grant has ended: none outlives `GRANT_LIFETIME`. */
const ABANDONED_LIFETIME = GRANT_LIFETIME + 30 * DAY

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

/** Notes the last time a member connected the client. Clients with a document are not in the table. */
export async function noteGranted(tx: Transaction, clientId: string, now: number): Promise<void> {
  await tx.run(GRANTED, { client_id: clientId, now })
}

/** Tells how many clients were forgotten. */
export async function sweepClients(tx: Transaction, now: number): Promise<number> {
  const unused = await tx.run(SWEEP, { before: now - UNUSED_LIFETIME })
  return unused + (await tx.run(SWEEP_ABANDONED, { before: now - ABANDONED_LIFETIME }))
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
  'update oauth_clients set granted_at = :now where client_id = :client_id',
)

/** By oauth_clients_never_granted. */
const SWEEP = statement<{ before: number }>(`
  delete from oauth_clients where client_id in (
    select client_id from oauth_clients where granted_at is null and created_at < :before
    order by created_at limit ${SWEEP_BATCH})`)

/** By oauth_clients_by_grant. */
const SWEEP_ABANDONED = statement<{ before: number }>(`
  delete from oauth_clients where client_id in (
    select client_id from oauth_clients where granted_at is not null and granted_at < :before
    order by granted_at limit ${SWEEP_BATCH})`)

const INSERT = statement<{
  client_id: string
  name: string
  client_uri: string | null
  redirect_uris: string
  created_at: number
}>(`
  insert into oauth_clients (client_id, name, client_uri, redirect_uris, created_at)
  values (:client_id, :name, :client_uri, :redirect_uris, :created_at)`)
