/** Pulls address books while the service runs. */

import { createDueWork, type DueWork } from '../base/concurrency/due-work.ts'
import { findDueBooks } from './book-store.ts'
import type { Log } from '../base/log.ts'
import type { BookDeps } from './pull-book.ts'

/** Disposing ends the requests that are running. */
export function createBookPulls(deps: BookDeps & { readonly log: Log }): DueWork {
  return createDueWork({
    ...deps,
    find: (now, limit) => findDueBooks(deps.database, now, limit),
    keyOf: ({ memberId, bookId }) => `${memberId} ${bookId}`,
    // Imported when the first book is due, because most services have none.
    run: async (due, signal) => (await import('./pull-book.ts')).pullBook(deps, due, signal),
    name: 'pull address books',
  })
}
