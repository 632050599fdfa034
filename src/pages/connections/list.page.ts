/** The page "Connections": a search form and its results. */

import { MAX_FILTER_LENGTH, MAX_QUERY_LENGTH } from '../../connections/search/query-limits.ts'
import { selectField, textField } from '../../html/form.ts'
import { NOTHING, attributes, html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { changeNotice } from '../activity/change-notice.ts'
import { pager } from '../ui/pager.ts'
import { NO_FILTERS, listPath, type ListFilters } from '../ui/list-path.ts'
import { personLine } from './person-line.ts'
import {
  CONNECTIONS_PATH,
  CUSTOM_FIELDS_PATH,
  CONNECTION_SUGGESTIONS_PATH,
  NEW_CONNECTION_PATH,
  IMPORT_PATH,
} from '../../html/site-map.ts'
import { customFieldId, type CustomField } from '../../connections/model/custom-fields.ts'
import { countOf } from '../ui/numbers.ts'
import type { SearchPage } from '../../connections/search/search.ts'
import type { Organization } from '../../contact-files/contact/details.ts'
import type { Listed } from '../../connections/model/connection.ts'
import type { Tag } from '../../connections/model/tag-store.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { DescribedChange } from '../activity/described-change.ts'

interface ListView {
  readonly browser: SignedInRequest
  readonly asked: ListFilters
  readonly cursor: string | undefined
  readonly connections: readonly Listed[]
  /** Of a search. */
  readonly found: FoundConnections | undefined
  /** How many people the search or the filter by a tag finds. */
  readonly total: number
  /** Keyed by connection ID. */
  readonly tagsOf: ReadonlyMap<number, readonly Tag[]>
  /** IDs of photos, keyed by connection ID. */
  readonly photosOf: ReadonlyMap<number, string>
  /** In the list of job changes: the position that each person left. */
  readonly formerOf: ReadonlyMap<number, Organization> | undefined
  /** The cursor of the page after this one. */
  readonly next: string | undefined
  /** The most frequent tags of the network. */
  readonly tags: readonly string[]
  /** Every custom field of the network. */
  readonly fields: readonly CustomField[]
  /** What is wrong with the value of the filter by a custom field. */
  readonly filterError: string | undefined
  readonly noticed: DescribedChange | undefined
}

/** What a search says about its results. */
type FoundConnections = Pick<SearchPage, 'matches'>

export function connectionListPage(view: ListView): Answer {
  const { browser, asked, cursor, connections, next, noticed } = view
  const notice = changeNotice(noticed, { back: 'connections', browser })
  const isUnfiltered = Object.values(asked).every((text) => text === '')
  const isEmpty = connections.length === 0 && isUnfiltered && cursor === undefined
  return memberPage({
    title: asked.jobs === '' ? 'Connections' : 'Job changes',
    actions: ACTIONS,
    browser,
    current: 'connections',
    body: isEmpty
      ? html`${notice} ${EMPTY}`
      : html`${notice} ${asked.jobs === '' ? searchForm(view) : ABOUT_JOB_CHANGES}
          <section class="panel" aria-label="People">${people(view, isUnfiltered)}</section>
          ${pager({ path: listPath(asked), cursor, next })}`,
  })
}

const ACTIONS = html`<div class="actions">
  <a class="button plain" href="${NEW_CONNECTION_PATH}">Add connection</a>
  <a class="button plain" href="${listPath({ jobs: 'changed' })}">Job changes</a>
  <a class="button plain" href="${CUSTOM_FIELDS_PATH}">Custom fields</a>
</div>`

const EMPTY = html`<section class="panel" aria-label="No connections">
  <div class="empty">
    <p>
      No connections yet. Import your contacts from LinkedIn, Google, Outlook or an address book,
      add one yourself, or ask an agent to.
    </p>
    <div class="actions">
      <a class="button" href="${IMPORT_PATH}">Import contacts</a>
      <a class="button plain" href="${NEW_CONNECTION_PATH}">Add connection</a>
    </div>
  </div>
</section>`

function people(view: ListView, isUnfiltered: boolean): Html {
  const { connections, tagsOf, photosOf, found, formerOf } = view
  if (connections.length === 0 && formerOf) return NO_JOB_CHANGES
  if (connections.length === 0) return isUnfiltered ? END_OF_LIST : noResults(view)
  return html`<ul class="items people">
    ${connections.map((one, index) => {
      const { connectionId: id } = one
      return personLine(one, tagsOf.get(id) ?? [], {
        match: found?.matches[index],
        former: formerOf?.get(id),
        photo: photosOf.get(id),
      })
    })}
  </ul>`
}

const ABOUT_JOB_CHANGES = html`<p class="quiet">
  People whose company or title changed, latest first.
  <a href="${CONNECTIONS_PATH}">All connections</a>
</p>`

const NO_JOB_CHANGES = html`<p class="empty">
  No job changes. When an import or an edit changes a company or title, the person appears here.
</p>`

const END_OF_LIST = html`<p class="empty">No more results.</p>`

function noResults({ asked }: ListView): Html {
  const advice = [
    ...(asked.q === '' ? [] : ['try fewer words']),
    ...(isFiltered(asked) ? ['remove a filter'] : []),
  ].join(' or ')
  return html`<div class="empty">
    <p>No results. ${advice.charAt(0).toUpperCase()}${advice.slice(1)}.</p>
    <a class="button plain" href="${CONNECTIONS_PATH}">Clear search</a>
  </div>`
}

function isFiltered({ q: _q, ...filters }: ListFilters): boolean {
  return Object.values(filters).some((text) => text !== '')
}

function searchForm(view: ListView): Html {
  const { asked, tags, fields, filterError } = view
  const { q } = asked
  return html`<form class="search" action="${CONNECTIONS_PATH}" role="search">
    <label class="unseen" for="q">Search your connections</label>
    <input
      id="q"
      name="q"
      type="search"
      value="${q}"
      placeholder="Name, company, tag or note"
      maxlength="${MAX_QUERY_LENGTH}"
      autocomplete="off"
      data-suggestions="${CONNECTION_SUGGESTIONS_PATH}"
    />
    <button>Search</button>
    <details ${attributes({ open: isFiltered(asked) })}>
      <summary>Filters</summary>
      <div class="pair">
        ${textField({ name: 'company', label: 'Company', value: asked.company, ...FILTER })}
        ${tagFilter(asked, tags)}
        ${textField({ name: 'place', label: 'Location', value: asked.place, ...FILTER })}
      </div>
      ${customFilter(asked, fields, filterError)}
    </details>
    ${resultCount(view)}
  </form>`
}

/** How many people were found, and the way back to all; `noResults` has it if there are none. */
function resultCount({ asked, total, connections }: ListView): Html {
  if (connections.length === 0 || (asked.q === '' && !isFiltered(asked))) return NOTHING
  return html`<p>
    ${countOf(total, 'result')} · <a href="${listPath(NO_FILTERS)}">Clear search</a>
  </p>`
}

const FILTER = { maxLength: MAX_FILTER_LENGTH, autocomplete: 'off' } as const

function customFilter(
  { field, value }: ListFilters,
  fields: readonly CustomField[],
  error: string | undefined,
): Html {
  if (fields.length === 0) return NOTHING
  const options = fields.map(({ fieldId, name }) => ({
    value: customFieldId(fieldId),
    label: name,
  }))
  return html`<div class="pair">
    ${selectField({
      name: 'field',
      label: 'Custom field',
      value: field,
      options: [{ value: '', label: 'Any' }, ...options],
    })}
    ${textField({
      name: 'value',
      label: 'Value',
      value,
      ...FILTER,
      hint: 'Empty for any value. Numbers and dates also take >= and <.',
      error: error === undefined ? undefined : `The value ${error}.`,
    })}
  </div>`
}

/** The selected tag is listed even if it is not among the frequent ones. */
function tagFilter({ tag }: ListFilters, frequent: readonly string[]): Html {
  const all = tag === '' || frequent.includes(tag) ? frequent : [tag, ...frequent]
  if (all.length === 0) return NOTHING
  return selectField({
    name: 'tag',
    label: 'Tag',
    value: tag,
    options: [{ value: '', label: 'Any' }, ...all.map((one) => ({ value: one, label: one }))],
  })
}
