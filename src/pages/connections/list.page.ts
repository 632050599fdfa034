/** The page "Connections": a search form, filters, and a table of people. */

import { emptyNote, noResultsText, buttonLink } from '../../ui/sections.ts'
import { t } from '../../languages/message.ts'
import { MAX_QUERY_LENGTH } from '../../connections/search/query-lengths.ts'
import { hiddenField, textField } from '../../html/form.ts'
import { NOTHING, attributes, html, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { memberPage } from '../../html/member-layout.ts'
import {
  BULK_CONNECTIONS_PATH,
  CONNECTIONS_PATH,
  DELETE_VIEW_PATH,
  IMPORT_PATH,
  NEW_CONNECTION_PATH,
  RENAME_VIEW_PATH,
  VIEWS_PATH,
} from '../../html/site-map.ts'
import { changeNotice } from '../../ui/change-notice.ts'
import { MAX_VIEW_NAME_LENGTH, type SavedView } from '../../connections/people/saved-views.ts'
import {
  NO_FILTERS,
  isNarrowed,
  listQuery,
  type ListState,
} from '../../connections/people/list-state.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { countOf, numberText } from '../../ui/numbers.ts'
import { bulkForm, exportButtons } from './bulk-bar.ts'
import { columnsMenu } from './columns.route.ts'
import { filterChips, filterMenu, type FilterOptions } from './list-filters.ts'
import { tidyTabs, WITHOUT_EMAIL_PATH } from './tidy-tabs.ts'
import { peopleTable, type PeopleRows } from './people-table.ts'
import type { Answer } from '../../http/response.ts'
import type { DescribedChange } from '../activity/described-change.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

interface ListView {
  readonly browser: SignedInRequest
  readonly state: ListState
  readonly people: PeopleRows
  readonly options: FilterOptions
  /** How many people pass the filters. */
  readonly total: number
  /** Number of people who match the search completely. */
  readonly complete: number
  /** What the search names that no one has, as a sentence. */
  readonly unknown: string | undefined
  readonly everyone: number
  /** The first letters of names, each with the page on which it begins. */
  readonly letters: ReadonlyMap<string, number>
  readonly pages: number
  /** Why a search by meaning was not possible. */
  readonly problem: string | undefined
  readonly noticed: DescribedChange | undefined
  /** The query string of the page. */
  readonly search: string
  readonly views: readonly SavedView[]
}

export function connectionListPage(view: ListView): Answer {
  const { browser, state, everyone, noticed } = view
  const notice = changeNotice(noticed, { back: 'connections', browser })
  const isEmpty = everyone === 0 && !isNarrowed(state)
  const title = state.jobs === '' ? t('People') : t('Job changes')
  if (isTidy(state))
    return memberPage({
      title: t('Without email'),
      heading: html`${t('Tidy up')} ${counts(view)}`,
      browser,
      current: 'duplicates',
      body: html`${tidyTabs(WITHOUT_EMAIL_PATH)} ${notice} ${list(view)}`,
    })
  return memberPage({
    title,
    heading: html`${title} ${isEmpty ? NOTHING : counts(view)}`,
    actions: isEmpty
      ? NOTHING
      : html`<div class="actions list-actions">
          ${viewForm(view)}
          <a class="button" href="${NEW_CONNECTION_PATH}"
            >${icon('plus')} <span>${t('Add person')}</span></a
          >
        </div>`,
    browser,
    current: 'connections',
    body: isEmpty ? html`${notice} ${emptyPanel()}` : html`${notice} ${list(view)}`,
  })
}

/** Saves what is shown, or renames or deletes the view that it is. */
function viewForm({ state, views }: ListView): Html {
  const query = listQuery({ ...state, page: '' })
  if (query === '') return NOTHING
  const known = views.find((one) => one.query === query)
  const hidden = html`${hiddenField('state', query)}
  ${known ? hiddenField('view_id', String(known.viewId)) : NOTHING}`
  const name = textField({
    name: 'name',
    label: t('Name'),
    value: known?.name ?? '',
    maxLength: MAX_VIEW_NAME_LENGTH,
    autocomplete: 'off',
    autofocus: true,
    required: true,
  })
  const remove = html`<form method="post" action="${DELETE_VIEW_PATH}">
    ${hidden}<button class="plain">Delete view</button>
  </form>`
  return html`<details class="dropdown" name="menu">
    <summary class="button plain">
      ${icon('view')} <span>${known ? t('Edit view') : t('Save view')}</span>
    </summary>
    <div>
      <form method="post" action="${known ? RENAME_VIEW_PATH : VIEWS_PATH}">
        ${hidden} ${name}
        <button class="plain">${known ? t('Rename') : t('Save')}</button>
      </form>
      ${known ? remove : NOTHING}
    </div>
  </details>`
}

/** `44 of 2,161`, and `5 match, 114 weaker` of a search. */
function counts({ state, people, total, complete, everyone }: ListView): Html {
  const weaker = total - complete
  const text =
    state.q !== '' && weaker > 0 && people.isGrouped
      ? t('{complete, plural, =0 {no match} one {# match} other {# matches}}, {weaker} weaker', {
          complete,
          weaker: numberText(weaker),
        })
      : isNarrowed(state)
        ? t('{total} of {everyone}', { total: numberText(total), everyone: numberText(everyone) })
        : numberText(everyone)
  return html`<small class="total" aria-live="polite">${text}</small>`
}

function emptyPanel(): Html {
  return html`<section class="panel" id="q" aria-label="No people">
    <div class="empty">
      <p>
        No people yet. Import your contacts from LinkedIn, Google, Outlook or an address book, add
        one yourself, or ask an agent to.
      </p>
      <div class="actions">
        <a class="button" href="${IMPORT_PATH}">Import contacts</a>
        <a class="button plain" href="${NEW_CONNECTION_PATH}">Add person</a>
      </div>
    </div>
  </section>`
}

function isTidy({ tidy, lacks }: ListState): boolean {
  return tidy !== '' && lacks === 'email'
}

function list(view: ListView): Html {
  const { state, options, people, problem } = view
  return html`<div class="list">
    <div class="list-bar">
      ${searchForm(view)}
      <div class="tools">
        ${filterMenu(state, options)} ${columnsMenu(state, view.search)} ${exportMenu(view)}
        <label class="button plain selecting"><input type="checkbox" /> Select</label>
      </div>
    </div>
    <div id="results">
      ${filterChips(state, options)}
      ${problem === undefined ? NOTHING : html`<p class="notice warning" role="status">${problem}</p>`}
      <section id="people" aria-label="People" tabindex="-1">
        ${people.rows.length === 0 ? noResults(view) : html`${unknownNote(view)} ${selectable(view)}`}
      </section>
      ${letters(view)} ${pages(view)}
    </div>
  </div>`
}

/** Exports everyone that the list finds, without weaker matches. */
function exportMenu({ state, complete }: ListView): Html {
  if (complete === 0) return NOTHING
  return html`<details class="dropdown" name="menu">
    <summary class="button plain">Export</summary>
    <div>
      <form method="post" action="${BULK_CONNECTIONS_PATH}">
        ${hiddenField('all', '1')} ${hiddenField('state', listQuery({ ...state, page: '' }))}
        <p>${countOf(complete, 'person')}</p>
        ${exportButtons()}
      </form>
    </div>
  </details>`
}

function unknownNote({ unknown, state }: ListView): Html {
  return unknown === undefined || state.page !== '' ? NOTHING : html`<p>${unknown}</p>`
}

function selectable({ state, people, options, complete }: ListView): Html {
  const table = peopleTable(state, people)
  return bulkForm({ state, total: complete, tags: options.tags, table })
}

function searchForm({ state }: ListView): Html {
  const { q } = state
  const kept = Object.entries({ ...state, q: '', page: '' }).filter(([, value]) => value !== '')
  return html`<form
    class="search"
    action="${CONNECTIONS_PATH}"
    role="search"
    aria-label="Your people"
    data-live="#results, .total, .list .segments${isTidy(state) ? '' : ', .heading .actions'}"
  >
    ${icon('search')}
    <label class="unseen" for="q">Search people</label>
    <input
      id="q"
      name="q"
      type="search"
      value="${q}"
      placeholder="Name, company, tag or note"
      maxlength="${MAX_QUERY_LENGTH}"
      autocomplete="off"
    />
    ${kept.map(([name, value]) => hiddenField(name, value))}
    <button class="plain unscripted">Search</button>
    <span class="segments">${state.q === '' && state.mode === '' ? NOTHING : modes(state)}</span>
  </form>`
}

/** The switch between words and meaning. */
function modes(state: ListState): Html {
  const link = (mode: string, label: string) => {
    const isOn = state.mode === mode
    const path = listPath({ ...state, mode, page: '' })
    return html`<a ${attributes({ href: path, 'aria-current': isOn ? 'true' : undefined })}
      >${label}</a
    >`
  }
  return html`${link('', t('By words'))} ${link('meaning', t('By meaning'))}`
}

function noResults({ state, total, unknown }: ListView): Html {
  if (total > 0)
    return emptyNote(
      t('No more results.'),
      buttonLink(listPath({ ...state, page: '' }), t('First page')),
    )
  const { q, jobs } = state
  if (jobs !== '' && !isNarrowed({ ...state, jobs: '' }))
    return emptyNote(
      t(
        'No job changes. When an import or an edit changes a company or title, the person appears here.',
      ),
    )
  const isFiltered = isNarrowed({ ...state, q: '' })
  const text =
    q === ''
      ? t('No results. Remove a filter.')
      : isFiltered
        ? t('No results. Try fewer words or remove a filter.')
        : (unknown ?? noResultsText(q))
  return emptyNote(text, buttonLink(listPath(NO_FILTERS), t('Clear search')))
}

/** Scripts with thousands of characters would fill the page. */
const MAX_LETTERS = 40

/** Where each letter begins, in a list that is sorted by name. */
function letters({ state, letters: known, pages: count }: ListView): Html {
  if (known.size < 2 || count < 2) return NOTHING
  const links = [...known].slice(0, MAX_LETTERS).map(([letter, page]) => {
    const path = listPath({ ...state, page: page === 1 ? '' : String(page) })
    return html`<a href="${path}">${letter}</a>`
  })
  return html`<nav class="letters" aria-label="Letters">${links}</nav>`
}

function pages({ state, pages: count }: ListView): Html {
  if (count < 2) return NOTHING
  const page = Number(state.page || '1')
  const link = (to: number, rel: string, label: string) => {
    if (to < 1 || to > count) return html`<span></span>`
    const href = listPath({ ...state, page: to === 1 ? '' : String(to) })
    return html`<a ${attributes({ class: 'button plain', rel, href })}>${label}</a>`
  }
  return html`<nav class="actions pager" aria-label="Pages">
    ${link(page - 1, 'prev', t('Previous'))}
    <span class="quiet">Page ${numberText(page)} of ${numberText(count)}</span>
    ${link(page + 1, 'next', t('Next'))}
  </nav>`
}
