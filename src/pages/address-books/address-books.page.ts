/** The page "Address books": those elsewhere that the member has subscribed to, and a form for another. */

import { phrase, t } from '../../languages/message.ts'
import { fieldState, type FieldValues } from '../../forms/field-errors.ts'
import { formError, textField } from '../../html/form.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import {
  ADDRESS_BOOKS_PATH,
  importPreviewPath,
  jobPath,
  PULL_BOOK_PATH,
  REMOVE_BOOK_PATH,
} from '../../html/site-map.ts'
import { bookProblem } from '../../subscribed-books/book-error.ts'
import { listBooks, type SubscribedBook } from '../../subscribed-books/book-store.ts'
import { confirmButton } from '../../ui/confirm-button.ts'
import { besideExample } from '../../ui/example.ts'
import { countOf, minutesUntil } from '../../ui/numbers.ts'
import { itemList, panel, tabLinks } from '../../ui/sections.ts'
import { timesOf, type Times } from '../../ui/time.ts'
import type { PageRequest } from '../../forms/page-route.ts'
import type { Answer } from '../../http/response.ts'

/** A service whose app passwords are known to read an address book. */
interface Service {
  readonly id: string
  readonly name: string
  /** Undefined if each account has its own. */
  readonly server?: string
  readonly steps: string
}

const SERVICES: readonly Service[] = [
  {
    id: 'icloud',
    name: phrase('iCloud'),
    server: 'contacts.icloud.com',
    steps: phrase(
      'The username is the email of your Apple Account. At account.apple.com, under Sign-In and Security, create an app-specific password.',
    ),
  },
  {
    id: 'nextcloud',
    name: phrase('Nextcloud'),
    steps: phrase(
      'The server is the address of your Nextcloud. In its settings, under Security, create an app password.',
    ),
  },
  {
    id: 'fastmail',
    name: 'Fastmail',
    server: 'carddav.fastmail.com',
    steps: phrase(
      'The username is your Fastmail address. In the settings, under Privacy & Security, create an app password for contacts.',
    ),
  },
]

interface AddressBooksView {
  /** The ID of the service whose steps are shown. */
  readonly service?: string | null | undefined
  readonly fields: FieldValues
  readonly notice?: Html
  /** An error about the form as a whole. */
  readonly problem?: string | undefined
}

export async function showAddressBooks(
  { browser, db, now }: Pick<PageRequest, 'browser' | 'db' | 'now'>,
  { fields, notice = NOTHING, problem, service }: AddressBooksView,
): Promise<Answer> {
  const books = await listBooks(db)
  const times = timesOf(browser, now)
  const isRejected = problem !== undefined || Object.keys(fields.errors).length > 0
  const items = books.map((book) => bookItem(book, times))
  const list =
    items.length === 0 ? NOTHING : panel('books', t('Your address books'), itemList(items))
  const form = subscribeForm({ fields, problem, service })
  const subscribe = panel('subscribe', t('Subscribe to an address book'), form)
  return memberPage({
    title: t('Address books'),
    browser,
    current: 'import',
    status: isRejected ? 422 : 200,
    body: html`${notice} ${list} ${items.length === 0 ? withExample(subscribe) : subscribe}`,
  })
}

function withExample(subscribe: Html): Html {
  const rows = [
    {
      person: 'Jonas Vogelsang',
      title: 'Jonas Vogelsang',
      text: t('New phone number'),
      end: t('Changed'),
    },
    {
      person: 'Mareike Dombrowski',
      title: 'Mareike Dombrowski',
      text: 'Field Notes Studio',
      end: t('New'),
    },
  ]
  return besideExample(t('After each reading, which you can undo:'), rows, subscribe)
}

function bookItem(book: SubscribedBook, times: Times): Html {
  const { bookId, name, host, jobId, unread } = book
  const lastImport = jobId === null ? NOTHING : html`, <a href="${jobPath(jobId)}">last import</a>`
  return html`<li>
    <div>
      <h3><bdi>${name}</bdi></h3>
      <p class="quiet">${host}</p>
      ${unread === 0 ? NOTHING : html`<p>${countOf(unread, 'card')} could not be read.</p>`}
      ${stateOf(book, times)}
      <small>${lastPull(book, times)}${lastImport}</small>
    </div>
    <div class="actions">
      <form method="post" action="${PULL_BOOK_PATH}">
        <button class="plain" name="book_id" value="${bookId}">
          <span>Pull now<span class="unseen"> ${name}</span></span>
        </button>
      </form>
      ${confirmButton({
        verb: t('Remove'),
        name,
        text: t(
          'Weft forgets its password and no longer reads it. The people that it brought stay.',
        ),
        action: REMOVE_BOOK_PATH,
        field: 'book_id',
        id: String(bookId),
      })}
    </div>
  </li>`
}

function stateOf(book: SubscribedBook, { now }: Times): Html {
  const { error, nextPullAt, previewId, pulledAt } = book
  const minutes = minutesUntil(nextPullAt, now)
  const preview =
    previewId === null
      ? NOTHING
      : html`<p>
          Its cards were read. Nothing is imported until you confirm it:
          <a href="${importPreviewPath(previewId)}">Preview the import</a>
        </p>`
  if (error !== null)
    return html`${preview}
      <p class="error">
        ${bookProblem(error)}
        ${
          nextPullAt === null
            ? html`Pulling has stopped. Fix the problem, then select Pull now. To change the
              password, subscribe again.`
            : previewId === null
              ? html`The next attempt is within ${minutes}.`
              : NOTHING
        }
      </p>`
  if (previewId !== null) return preview
  if (nextPullAt === null) return html`<p>Select Pull now to read it for the first time.</p>`
  if (nextPullAt > now) return html`<p>Next pull within ${minutes}</p>`
  return pulledAt === null
    ? html`<p>Being read for the first time. Reload the page to see the result.</p>`
    : html`<p>Being read. Reload the page to see the result.</p>`
}

function lastPull({ pulledAt }: SubscribedBook, times: Times): Html {
  return pulledAt === null ? html`never pulled` : html`last pulled ${times.ago(pulledAt)}`
}

function subscribeForm({ fields, problem, service }: Omit<AddressBooksView, 'notice'>): Html {
  const chosen = SERVICES.find(({ id }) => id === service)
  const address = fieldState(fields, 'address', t('Server'))
  const services = SERVICES.map(({ id, name }) => {
    const path = `${ADDRESS_BOOKS_PATH}?service=${id}#subscribe`
    return { label: t(name), path, isHere: id === chosen?.id }
  })
  return html`<form method="post" action="${ADDRESS_BOOKS_PATH}">
    ${formError(problem)}
    <p class="quiet">
      Weft reads it every 30 minutes and changes nothing in it. You see a preview before the first
      import. Values that you typed stay, and people who are deleted there stay here.
    </p>
    ${tabLinks(t('Service'), services)}
    ${chosen === undefined ? NOTHING : html`<p>${t(chosen.steps)}</p>`}
    ${textField({
      ...address,
      value: address.value === '' ? (chosen?.server ?? '') : address.value,
      hint: t('Such as cloud.example.org, or the address of one address book.'),
      inputmode: 'url',
      autocomplete: 'off',
      spellcheck: false,
      required: true,
    })}
    ${textField({
      ...fieldState(fields, 'username', t('Username')),
      autocomplete: 'off',
      spellcheck: false,
      required: true,
    })}
    ${textField({
      ...fieldState(fields, 'password', t('App password')),
      type: 'password',
      hint: t('Create one in the settings of the server. It is stored encrypted.'),
      autocomplete: 'new-password',
      required: true,
    })}
    <button>Subscribe</button>
  </form>`
}
