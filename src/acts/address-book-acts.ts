/** Address books elsewhere that members have subscribed to. */

import { rfc3339, systemClock } from '../base/clock.ts'
import { OutgoingPool } from '../base/concurrency/outgoing-pool.ts'
import { RequestError } from '../base/request-error.ts'
import { phrase, t } from '../languages/message.ts'
import { bookProblem } from '../subscribed-books/book-error.ts'
import { listBooks, pullSoon, removeBook, requireBook } from '../subscribed-books/book-store.ts'
import { startFirstImport } from '../subscribed-books/import-book.ts'
import { subscribeToBooks } from '../subscribed-books/manage-books.ts'
import { changeAct, listAct, taskAct } from './act.ts'
import { flag, listedId, requiredOption, secret } from './act-arguments.ts'

const ID = listedId('weft address-book list')

const FIRST_WAITS =
  'Its first import waits until the member has seen the preview on the page "Address books", or until `weft address-book pull <id> --confirm`.'

export const ADDRESS_BOOK_ACTS = [
  taskAct({
    name: 'address-book add',
    summary:
      'Subscribe to the address books of an account; its password is read from a prompt or standard input',
    action: 'subscribe_to_address_book',
    label: phrase('Subscribed to an address book'),
    member: 'option',
    fields: {
      server: requiredOption('address', 'of the server, or of one address book'),
      username: requiredOption('name', 'on that server'),
      password: secret('App password'),
    },
    about: ({ server }) => ({ reason: server }),
    async run({ database, settings, member }, { server, ...account }) {
      const outgoing = new OutgoingPool()
      const deps = { ...settings, database, clock: systemClock, outgoing, wake: () => {} }
      const found = await subscribeToBooks(deps, member.memberId, { address: server, ...account })
      return found === 1
        ? `Subscribed. A running \`weft serve\` reads it within a minute. ${FIRST_WAITS}`
        : `Found ${found} address books. Read the ones that you want with \`weft address-book pull\`, and remove the others.`
    },
  }),
  listAct({
    name: 'address-book list',
    summary: 'List the address books that a member has subscribed to',
    member: 'option',
    async list({ db }) {
      return (await listBooks(db)).map((one) => ({
        id: one.bookId,
        name: one.name,
        host: one.host,
        pulled_at: rfc3339(one.pulledAt),
        next_pull_at: rfc3339(one.nextPullAt),
        unread: one.unread,
        waits_for: one.previewId === null ? null : 'confirmation',
        error: one.error === null ? null : bookProblem(one.error),
      }))
    },
    none: ({ member }) =>
      `${member.username} has no address books. Subscribe to one with \`weft address-book add\`.`,
  }),
  changeAct({
    name: 'address-book pull',
    summary: 'Read an address book within a minute, also if its pulling has stopped',
    help: FIRST_WAITS,
    action: 'pull_address_book',
    label: phrase('Pulled an address book'),
    member: 'option',
    fields: { id: ID, confirm: flag('import the cards that were read for the first import') },
    async change({ mine, now }, { id, confirm }) {
      const book = await requireBook(mine, id)
      if (confirm === undefined) await pullSoon(mine, id, now)
      else if (!(await startFirstImport(mine, book, now)).started)
        throw new RequestError(
          'conflict',
          t('Another import is running. Try again when it has ended.'),
        )
      return { isFirst: book.jobId === null }
    },
    about: ({ id }) => ({ reason: String(id) }),
    done({ isFirst }, _call, { confirm }) {
      if (confirm !== undefined) return 'A running `weft serve` imports its cards.'
      const reading = 'A running `weft serve` reads it within a minute. See: weft address-book list'
      return isFirst ? `${reading}\n${FIRST_WAITS}` : reading
    },
  }),
  changeAct({
    name: 'address-book remove',
    summary: 'Forget an address book and its password; the people that it brought stay',
    action: 'remove_address_book',
    label: phrase('Removed an address book'),
    member: 'option',
    fields: { id: ID },
    async change({ mine }, { id }) {
      await removeBook(mine, id)
      return id
    },
    about: ({ id }) => ({ reason: String(id) }),
    done: () => 'Removed.',
  }),
]
