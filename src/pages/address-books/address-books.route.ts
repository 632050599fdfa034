/** `/user/address-books`: address books elsewhere that the member has subscribed to. */

import { phrase, t } from '../../languages/message.ts'
import { hasCode } from '../../base/request-error.ts'
import { NOTHING_TYPED } from '../../forms/field-errors.ts'
import { formRoute, pageRoute, type PageDeps } from '../../forms/page-route.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { notFoundPage } from '../../html/message.page.ts'
import { ADDRESS_BOOKS_PATH, PULL_BOOK_PATH, REMOVE_BOOK_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { pullSoon, removeBook } from '../../subscribed-books/book-store.ts'
import { subscribeToBooks } from '../../subscribed-books/manage-books.ts'
import { rejectedForm } from '../../ui/invalid-form.ts'
import { noticesOf } from '../../ui/notices.ts'
import { showAddressBooks } from './address-books.page.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { Route } from '../../http/route.ts'
import type { BookDeps } from '../../subscribed-books/pull-book.ts'

export type AddressBookPageDeps = PageDeps & BookDeps

const NOTICES = noticesOf(ADDRESS_BOOKS_PATH, {
  subscribed: phrase(
    'Subscribed. Weft reads the address book within a minute, and imports nothing until you confirm it.',
  ),
  choose: phrase(
    'The account has several address books. Select Pull now for the ones that you want, and remove the others.',
  ),
  pulling: phrase('Weft reads the address book within a minute.'),
  removed: phrase('Address book removed. The people that it brought stay.'),
})

export function addressBookRoutes(deps: AddressBookPageDeps): Route[] {
  return [
    pageRoute(deps, {
      path: ADDRESS_BOOKS_PATH,
      handle: (request) =>
        showAddressBooks(request, {
          notice: NOTICES.read(request.search),
          fields: NOTHING_TYPED,
          service: new URLSearchParams(request.search).get('service'),
        }),
    }),
    subscribeRoute(deps),
    bookRoute(deps, PULL_BOOK_PATH, 'pulling', pullSoon),
    bookRoute(deps, REMOVE_BOOK_PATH, 'removed', removeBook),
  ]
}

function subscribeRoute(deps: AddressBookPageDeps): Route {
  return formRoute(deps, {
    path: ADDRESS_BOOKS_PATH,
    limit: LIMITS.work,
    async handle(request) {
      const { body, browser } = request
      const [address = '', username = '', password = ''] = ['address', 'username', 'password'].map(
        (field) => body.get(field) ?? '',
      )
      try {
        const found = await subscribeToBooks(deps, browser.member.memberId, {
          address,
          username,
          password,
        })
        return seeOther(NOTICES.pathTo(found === 1 ? 'subscribed' : 'choose'))
      } catch (error) {
        if (!hasCode(error, 'invalid_request', 'conflict', 'unavailable')) throw error
        // Without the password.
        return showAddressBooks(request, rejectedForm(error, { address, username }))
      }
    },
  })
}

function bookRoute(
  deps: AddressBookPageDeps,
  path: string,
  notice: 'pulling' | 'removed',
  change: (tx: MemberTransaction, bookId: number, now: number) => Promise<void>,
): Route {
  return formRoute(deps, {
    path,
    limit: LIMITS.work,
    gone: () =>
      notFoundPage(
        t('Address book not found'),
        t('It may have been removed since you loaded the page. No changes were made.'),
        { href: ADDRESS_BOOKS_PATH, label: t('Back to address books') },
      ),
    async handle({ body, db, now }) {
      await db.write((tx) => change(tx, Number(body.get('book_id')), now))
      return seeOther(NOTICES.pathTo(notice))
    },
  })
}
