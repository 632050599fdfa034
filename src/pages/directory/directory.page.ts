/** The directory page: a search form and its results. */

import { t } from '../../languages/message.ts'
import { perLanguage } from '../../languages/language.ts'
import { NOTHING, attributes, html, joinHtml, type Html } from '../../html/html.ts'
import { publicPage } from '../../html/public-layout.ts'
import {
  MAX_DIRECTORY_QUERY_LENGTH,
  type DirectoryPage,
  type MemberSummary,
} from '../../members/directory.ts'
import { initialsBadge } from '../ui/initials.ts'
import { addressOf, type DirectoryQuery } from './directory-urls.ts'
import { DIRECTORY_MARKDOWN_PATH, DIRECTORY_PATH } from '../../html/site-map.ts'
import type { OperatorTexts } from '../../html/legal-links.ts'
import type { Answer } from '../../http/response.ts'
import type { FieldErrors } from '../../forms/field-errors.ts'

interface DirectoryPageDeps extends OperatorTexts {
  readonly publicUrl: string
}

export function networkPage(
  found: DirectoryPage,
  asked: DirectoryQuery,
  deps: DirectoryPageDeps,
): Answer {
  const { members, next_cursor } = found
  const list = html`<ul class="items people">
    ${members.map(person)}
  </ul>`
  return publicPage({
    ...frameOf(asked),
    legal: deps,
    head: head(asked, deps.publicUrl),
    body: html`${TITLE()} ${searchForm(asked)}
      <div class="panel">${members.length === 0 ? emptyState(asked) : list}</div>
      ${pager(asked, next_cursor)}`,
    foot: html`This page as <a href="${addressOf(DIRECTORY_MARKDOWN_PATH, asked)}">Markdown</a> ·
      <a href="${addressOf('/api/network/members', asked)}">JSON</a>`,
  })
}

/** The page for an invalid query. Keeps the typed text. */
export function invalidQueryPage(
  asked: DirectoryQuery,
  errors: FieldErrors,
  legal: OperatorTexts,
): Answer {
  const isCursorInvalid = errors['cursor'] !== undefined
  const start = html`<p class="notice warning" role="alert">
    This page link is no longer valid.
    <a href="${addressOf(DIRECTORY_PATH, { q: asked.q })}">Go to the first page</a>
  </p>`
  return publicPage({
    ...frameOf(asked),
    legal,
    head: UNLISTED(),
    body: html`${TITLE()} ${searchForm(asked, errors['q'])} ${isCursorInvalid ? start : ''}`,
    status: 400,
  })
}

const TITLE = perLanguage(
  () =>
    html`<div>
      <h1>Directory</h1>
      <p class="quiet">Members with a public profile.</p>
    </div>`,
)

function frameOf({ q = '' }: DirectoryQuery) {
  return {
    title: q.trim() === '' ? t('Directory') : t('{query} · Directory', { query: q.trim() }),
    path: DIRECTORY_PATH,
  }
}

/** Search engines find members through their profiles, so only the first page of the directory is indexed. */
function head({ q, cursor }: DirectoryQuery, publicUrl: string): Html {
  const isFirst = (q === undefined || q === '') && cursor === undefined
  if (!isFirst) return UNLISTED()
  return html`<meta
      name="description"
      content="The public directory of Weft: members with a public profile."
    />
    <link rel="canonical" href="${publicUrl}${DIRECTORY_PATH}" />
    <link rel="alternate" type="text/markdown" href="${publicUrl}${DIRECTORY_MARKDOWN_PATH}" />`
}

const UNLISTED = perLanguage(() => html`<meta name="robots" content="noindex" />`)

function searchForm({ q = '' }: DirectoryQuery, error?: string): Html {
  const wrong = error === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': 'q-error' }
  return html`<form class="search" action="${DIRECTORY_PATH}" role="search">
    <label class="unseen" for="q">Search members</label>
    <input
      id="q"
      name="q"
      type="search"
      value="${q}"
      placeholder="Name, skill, company or location"
      maxlength="${MAX_DIRECTORY_QUERY_LENGTH}"
      ${attributes(wrong)}
    />
    <button>Search</button>
    ${error === undefined ? '' : html`<p class="error" id="q-error">The search ${error}.</p>`}
  </form>`
}

function person({ username, name, headline, organization, location }: MemberSummary): Html {
  const facts = [organization, location].filter((part) => part !== null)
  const isolated = facts.map((part) => html`<bdi>${part}</bdi>`)
  return html`<li>
    ${initialsBadge(name)}
    <div>
      <h2>
        <a href="/human/${username}"><bdi>${name}</bdi></a> <small>@${username}</small>
      </h2>
      ${headline === null ? '' : html`<p><bdi>${headline}</bdi></p>`}
      ${facts.length === 0 ? '' : html`<p class="quiet">${joinHtml(isolated, ' · ')}</p>`}
    </div>
  </li>`
}

function emptyState({ q = '' }: DirectoryQuery): Html {
  if (q.trim() === '') return html`<p class="empty">No public profiles yet.</p>`
  return html`<div class="empty">
    <p>No results for “<bdi>${q.trim()}</bdi>”.</p>
    <p>Try fewer words or only the beginning of a word.</p>
    <a class="button plain" href="${DIRECTORY_PATH}">Clear search</a>
  </div>`
}

function pager({ q, cursor }: DirectoryQuery, next: string | null): Html {
  if (cursor === undefined && next === null) return NOTHING
  const first = addressOf(DIRECTORY_PATH, { q })
  const more = next === null ? undefined : addressOf(DIRECTORY_PATH, { q, cursor: next })
  return html`<nav class="actions pager" aria-label="Pages">
    ${cursor === undefined ? '' : html`<a class="button plain" href="${first}">First page</a>`}
    ${more === undefined ? LAST() : html`<a class="button plain" href="${more}" rel="next">Next page</a>`}
  </nav>`
}

const LAST = perLanguage(() => html`<p class="quiet">No more results.</p>`)
