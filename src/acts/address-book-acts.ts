/** Address books elsewhere that members have subscribed to. */

import { rfc3339, systemClock } from '../base/clock.ts'
import { OutgoingPool } from '../base/concurrency/outgoing-pool.ts'
import { phrase } from '../languages/message.ts'
import { bookProblem } from '../subscribed-books/book-error.ts'
import { listBooks, pullSoon, removeBook } from '../subscribed-books/book-store.ts'
import { subscribeToBooks } from '../subscribed-books/manage-books.ts'
import { changeAct, listAct, taskAct } from './act.ts'
import { argument, requiredOption, secret, wholeNumber } from './field.ts'

const ID = argument(
  'id',
  'from `weft address-book list`',
  wholeNumber(999_999_999, 'Use an ID of `weft address-book list`.'),
)

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
        ? 'Subscribed. A running `weft serve` reads it within a minute.'
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
        error: one.error === null ? null : bookProblem(one.error),
      }))
    },
    none: ({ member }) =>
      `${member.username} has no address books. Subscribe to one with \`weft address-book add\`.`,
  }),
  changeAct({
    name: 'address-book pull',
    summary: 'Read an address book within a minute, also if its pulling has stopped',
    action: 'pull_address_book',
    label: phrase('Pulled an address book'),
    member: 'option',
    fields: { id: ID },
    async change({ mine, now }, { id }) {
      await pullSoon(mine, id, now)
      return id
    },
    about: ({ id }) => ({ reason: String(id) }),
    done: () => 'A running `weft serve` reads it within a minute. See: weft address-book list',
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
