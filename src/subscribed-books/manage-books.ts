/** What members do with address books elsewhere, on the page and on the command line. */

import { SECOND } from '../base/clock.ts'
import { invalidArgument } from '../base/request-error.ts'
import { readEndpointAddress } from '../deliveries/endpoint-hosts.ts'
import { t } from '../languages/message.ts'
import { BookError, bookProblem, UNREACHABLE } from './book-error.ts'
import { addBooks } from './book-store.ts'
import { createDavClient } from './dav-client.ts'
import { findBooks } from './find-books.ts'
import type { BookDeps } from './pull-book.ts'

/** A person waits for the answers. */
const PATIENCE_MS = 45 * SECOND
const MAX_CREDENTIAL_LENGTH = 500

interface NewSubscription {
  /** The address of a server, an account or a book, as the member typed it. */
  readonly address: string
  readonly username: string
  readonly password: string
}

/**
 * Subscribes to the address books of an account. A single one is pulled soon; of several, the member chooses. Returns their
 * number.
 *
 * @throws {RequestError} `invalid_request` when the address is not valid or no address book can be read there.
 * @throws {RequestError} `conflict` when the member has too many address books.
 */
export async function subscribeToBooks(
  deps: BookDeps,
  memberId: number,
  { address, username, password }: NewSubscription,
): Promise<number> {
  const written = /^\w+:\/\//.test(address.trim()) ? address : `https://${address.trim()}`
  const url = readEndpointAddress(written, deps.webhookHosts)
  if (!url)
    throw invalidArgument(
      'address',
      t('must be the https address of a server, such as cloud.example.org'),
    )
  for (const [field, value] of [
    ['username', username],
    ['password', password],
  ] as const)
    if (value === '' || value.length > MAX_CREDENTIAL_LENGTH || /\p{Cc}/u.test(value))
      throw invalidArgument(field, t('must have 1 to 500 characters, on one line'))
  const secret = deps.sealSecret()
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const client = createDavClient(deps, { username, password }, { memberId, signal })
  const found = await findBooks(client, url, deps.webhookHosts).catch((error: unknown) =>
    // While it waited for a permit.
    rejected(error === signal.reason ? new BookError(UNREACHABLE) : error),
  )
  const now = deps.clock.now()
  const nextPullAt = found.length === 1 ? now : null
  const books = found.map(({ url: { href, host }, name }) => ({
    name,
    host,
    nextPullAt,
    account: { url: href, username, password },
  }))
  await deps.database.member(memberId).write((tx) => addBooks(tx, books, { secret, now }))
  return found.length
}

function rejected(error: unknown): never {
  if (!(error instanceof BookError)) throw error
  const problem = bookProblem(JSON.stringify(error.text)).slice(0, -1)
  throw invalidArgument(
    error.status === 401 ? 'password' : 'address',
    t('cannot be used. {error}', { error: problem }),
  )
}
