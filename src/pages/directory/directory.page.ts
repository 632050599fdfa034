/** The directory page: a search form and its results. */

import { emptyNote } from '../../ui/sections.ts'
import { t } from '../../languages/message.ts'
import { NOTHING, attributes, html, joinHtml, type Html } from '../../html/html.ts'
import { hiddenField } from '../../html/form.ts'
import { publicPage } from '../../html/public-layout.ts'
import { linkPreview } from '../../html/link-preview.ts'
import { MAX_DIRECTORY_QUERY_LENGTH, type findMembers } from '../../members/directory.ts'
import { addressOf, type DirectoryQuery } from '../../members/public/directory-parameters.ts'
import { photoPathOf } from '../../members/profile.ts'
import { numberText } from '../../ui/numbers.ts'
import { faceAt } from '../../html/face.ts'
import { activeFilters, activeList, narrowingList } from './filters.ts'
import type { FoundMembers } from '../../members/directory-filters.ts'
import { DIRECTORY_MARKDOWN_PATH, DIRECTORY_PATH, PROFILE_PATH } from '../../html/site-map.ts'
import type { OperatorTexts } from '../../html/legal-links.ts'
import type { Answer } from '../../http/response.ts'
import type { FieldErrors } from '../../forms/field-errors.ts'

interface DirectoryPageDeps extends OperatorTexts {
  readonly publicUrl: string
}

type MembersFound = Awaited<ReturnType<typeof findMembers>>

export interface DirectoryView extends Pick<MembersFound, 'members' | 'nextCursor'> {
  /** Undefined in a directory that is too large to count, and if no one can match. */
  readonly counts: FoundMembers | undefined
}

export function directoryPage(
  found: DirectoryView,
  asked: DirectoryQuery,
  deps: DirectoryPageDeps,
): Answer {
  const { members, nextCursor, counts } = found
  const list = html`<ul class="items people">
    ${members.map(person)}
  </ul>`
  return publicPage({
    ...frameOf(asked),
    legal: deps,
    head: head(asked, deps.publicUrl),
    body: html`${titleOf(counts?.total)} ${searchForm(asked)}
      <section id="found" aria-label="${t('Members')}">
        ${activeList(asked)} ${counts ? narrowingList(asked, counts) : ''}
        ${members.length === 0 ? emptyState(asked) : list} ${pager(asked, nextCursor)}
      </section>`,
    foot: html`To be listed, write something about yourself in
      <a href="${PROFILE_PATH}">your profile</a> ·
      <a href="${addressOf(DIRECTORY_MARKDOWN_PATH, asked)}">Markdown</a> ·
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
    <a href="${addressOf(DIRECTORY_PATH, { ...asked, cursor: undefined })}">Go to the first page</a>
  </p>`
  return publicPage({
    ...frameOf(asked),
    legal,
    head: unlisted(),
    body: html`${titleOf(undefined)} ${searchForm(asked, errors['q'])} ${activeList(asked)}
    ${isCursorInvalid ? start : ''}`,
    status: 400,
  })
}

function titleOf(total: number | undefined): Html {
  return html`<div>
    <h1>Directory</h1>
    ${
      total === undefined
        ? html`<p class="quiet" id="count">Members with a public profile.</p>`
        : html`<p class="quiet" id="count">Members with a public profile · ${numberText(total)}</p>`
    }
  </div>`
}

function frameOf(asked: DirectoryQuery) {
  const words = [asked.q?.trim() ?? '', ...activeFilters(asked).map(({ value }) => value)]
  return { title: [...words, t('Directory')].filter(Boolean).join(' · '), path: DIRECTORY_PATH }
}

/** Search engines index the first page of the directory and of each filter, but not searches and combined filters. */
function head(asked: DirectoryQuery, publicUrl: string): Html {
  const { q = '', cursor } = asked
  const active = activeFilters(asked)
  if (q !== '' || cursor !== undefined || active.length > 1) return unlisted()
  const filters = Object.fromEntries(active.map(({ name, value }) => [name, value]))
  const url = publicUrl + addressOf(DIRECTORY_PATH, filters)
  const markdownUrl = publicUrl + addressOf(DIRECTORY_MARKDOWN_PATH, filters)
  const { title } = frameOf(asked)
  const description = t('The public directory of Weft: members with a public profile.')
  return html`${linkPreview({ title, description, url })}
    <link rel="canonical" href="${url}" />
    <link rel="alternate" type="text/markdown" href="${markdownUrl}" />`
}

function unlisted(): Html {
  return html`<meta name="robots" content="noindex" />`
}

function searchForm(asked: DirectoryQuery, error?: string): Html {
  const { q = '' } = asked
  const wrong = error === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': 'q-error' }
  return html`<form
    class="search"
    action="${DIRECTORY_PATH}"
    role="search"
    data-live="#found, #count"
  >
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
    ${activeFilters(asked).map(({ name, value }) => hiddenField(name, value))}
    <button class="plain unscripted">Search</button>
    ${error === undefined ? '' : html`<p class="error" id="q-error">The search ${error}.</p>`}
  </form>`
}

function person(member: MembersFound['members'][number]): Html {
  const { username, name, headline, organization, location } = member
  const facts = [organization, location].filter((part) => part !== null)
  const isolated = facts.map((part) => html`<bdi>${part}</bdi>`)
  return html`<li>
    ${faceAt(name, photoPathOf(member, 96))}
    <div>
      <h2>
        <a href="/human/${username}"><bdi>${name}</bdi></a> <small>@${username}</small>
      </h2>
      ${headline === null ? '' : html`<p><bdi>${headline}</bdi></p>`}
    </div>
    ${facts.length === 0 ? '' : html`<p>${joinHtml(isolated, ' · ')}</p>`}
  </li>`
}

function emptyState(asked: DirectoryQuery): Html {
  const { q = '' } = asked
  if (q.trim() === '' && activeFilters(asked).length === 0)
    return emptyNote(t('No public profiles yet.'))
  return html`<div class="empty">
    ${q.trim() === '' ? html`<p>No results.</p>` : html`<p>No results for “<bdi>${q.trim()}</bdi>”.</p>`}
    <p>Try fewer words, only the beginning of a word, or fewer filters.</p>
    <a class="button plain" href="${DIRECTORY_PATH}">Clear search</a>
  </div>`
}

function pager(asked: DirectoryQuery, next: string | null): Html {
  const { cursor } = asked
  if (cursor === undefined && next === null) return NOTHING
  const first = addressOf(DIRECTORY_PATH, { ...asked, cursor: undefined })
  const more = next === null ? undefined : addressOf(DIRECTORY_PATH, { ...asked, cursor: next })
  return html`<nav class="actions pager" aria-label="Pages">
    ${cursor === undefined ? '' : html`<a class="button plain" href="${first}">First page</a>`}
    ${more === undefined ? noMore() : html`<a class="button plain" href="${more}" rel="next">Next page</a>`}
  </nav>`
}

function noMore(): Html {
  return html`<p class="quiet">No more results.</p>`
}
