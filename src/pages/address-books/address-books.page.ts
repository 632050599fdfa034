/** The page "Address books": those elsewhere that the member has subscribed to, and a form for another. */

import { t } from '../../languages/message.ts'
import { fieldState, type FieldValues } from '../../forms/field-errors.ts'
import { formError, formTokenField, textField } from '../../html/form.ts'
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
import { countOf, minutesUntil } from '../../ui/numbers.ts'
import { itemList, panel } from '../../ui/sections.ts'
import { timesOf, type Times } from '../../ui/time.ts'
import type { PageRequest } from '../../forms/page-route.ts'
import type { Answer } from '../../http/response.ts'

interface AddressBooksView {
  readonly fields: FieldValues
  readonly notice?: Html
  /** An error about the form as a whole. */
  readonly problem?: string
}

export async function showAddressBooks(
  { browser, db, now }: Pick<PageRequest, 'browser' | 'db' | 'now'>,
  { fields, notice = NOTHING, problem }: AddressBooksView,
): Promise<Answer> {
  const { formToken } = browser
  const books = await listBooks(db)
  const times = timesOf(browser, now)
  const isRejected = problem !== undefined || Object.keys(fields.errors).length > 0
  const items = books.map((book) => bookItem(book, times, formToken))
  const list =
    items.length === 0 ? NOTHING : panel('books', t('Your address books'), itemList(items))
  return memberPage({
    title: t('Address books'),
    browser,
    current: 'import',
    status: isRejected ? 422 : 200,
    body: html`${notice} ${list}
    ${panel('subscribe', t('Subscribe to an address book'), subscribeForm(fields, problem, formToken))}`,
  })
}

function bookItem(book: SubscribedBook, times: Times, formToken: string): Html {
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
        ${formTokenField(formToken)}
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
        formToken,
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

function subscribeForm(fields: FieldValues, problem: string | undefined, formToken: string): Html {
  return html`<form method="post" action="${ADDRESS_BOOKS_PATH}">
    ${formTokenField(formToken)} ${formError(problem)}
    <p class="quiet">
      Weft reads it every 30 minutes and changes nothing in it. You see a preview before the first
      import. Changed cards are imported like a file of vCards: people are matched, values that you
      typed stay, and each import can be undone. People who are deleted there stay here.
    </p>
    ${textField({
      ...fieldState(fields, 'address', t('Server')),
      hint: t(
        'Such as cloud.example.org, contacts.icloud.com or carddav.fastmail.com, or the address of one address book.',
      ),
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
