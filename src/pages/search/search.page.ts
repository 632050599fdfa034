/** The page "Search": a field, what it finds, and the keyboard shortcuts. Scripts show its parts in a dialog. */

import { noResults } from '../../ui/sections.ts'
import { phrase, t } from '../../languages/message.ts'
import { MAX_QUERY_LENGTH } from '../../connections/search/query-limits.ts'
import { formKeyField, formTokenField, hiddenField } from '../../html/form.ts'
import { normalForm } from '../../base/normal-form.ts'
import { html, joinHtml, NOTHING, type Html } from '../../html/html.ts'
import { face } from '../../html/face.ts'
import { publicConnectionId, type Connection } from '../../connections/model/connection.ts'
import { icon, type IconName } from '../../html/icon.ts'
import { memberPage } from '../../html/member-layout.ts'
import { ACCOUNT_PATH, SEARCH_PATH } from '../../html/site-map.ts'
import { withoutSmallWords } from './small-words.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Answer } from '../../http/response.ts'

export interface SearchLink {
  readonly label: string
  /** A text or a fragment. */
  readonly detail?: string | Html
  /** Further words that find it. */
  readonly also?: string
  /** Before the label: a fragment, or the sign of an action or a page. */
  readonly face?: Html
  readonly icon?: IconName
  readonly path: string
  /** What is sent to the path, for a link that acts. */
  readonly fields?: Readonly<Record<string, string>>
  /** The key that does the same on the page. */
  readonly key?: string | undefined
  /** Whether the label repeats what was typed, so that nothing in it is marked. */
  readonly isEcho?: true
}

interface SearchView {
  readonly browser: SignedInRequest
  readonly query: string
  /** What a person is looked for. */
  readonly action: (Pick<SearchLink, 'label' | 'icon'> & { readonly name: string }) | undefined
  /** How many people of the list are selected. */
  readonly selected: number
  /** The person that the actions are for. */
  readonly person: Connection | undefined
  /** The search of the docs. */
  readonly docs: readonly SearchLink[]
  readonly groups: readonly { readonly title: string; readonly links: readonly SearchLink[] }[]
}

export function searchPage(view: SearchView): Answer {
  const { browser, query, action, selected, person, docs, groups } = view
  const shown = { mark: markerOf(query), formToken: browser.formToken }
  const found = groups.filter(({ links }) => links.length > 0).map((one) => group(one, shown))
  return memberPage({
    title: action ? t(action.label) : t('Search'),
    browser,
    current: 'search',
    body: html`<section class="panel palette" aria-label="Search everything">
        <form action="${SEARCH_PATH}" role="search" aria-label="People, pages and actions">
          ${person && subjectChip(person)} ${action && actionChip(action)}
          <label class="unseen" for="palette-q">Search people, pages and actions</label>
          <input
            id="palette-q"
            name="q"
            type="search"
            value="${query}"
            placeholder="${placeholder(action)}"
            maxlength="${MAX_QUERY_LENGTH}"
            autocomplete="off"
            autofocus
          />
          ${selected > 0 && hiddenField('selected', String(selected))}
          <button class="plain">Search</button>
        </form>
        <div class="found" aria-live="polite">
          ${found.length > 0 || query === '' ? found : noResults(query)}
          ${docs.length > 0 && group({ title: t('Help'), links: docs }, shown)}
        </div>
        <p class="hints">
          ${hint('↑ ↓', t('Choose'))} ${hint('↵', t('Open'))}
          ${(person || action) && hint('⌫', t('All of Weft'))}
        </p>
      </section>
      ${action ? NOTHING : keysPanel()}`,
  })
}

function hint(keys: string, effect: string): Html {
  return html`<span><kbd>${keys}</kbd> ${effect}</span>`
}

/** The person that the actions are for; a script removes it. */
function subjectChip({ name, connectionId, details }: Connection): Html {
  return html`<a class="subject" href="${SEARCH_PATH}" title="${t('All of Weft')}"
    >${face({ name, photo: details.photo })}<bdi>${name}</bdi> ${icon('cross')}${hiddenField(
      'person',
      publicConnectionId(connectionId),
    )}</a
  >`
}

/** What a person is looked for; a script removes it. */
function actionChip({ name, label, icon: sign }: NonNullable<SearchView['action']>): Html {
  return html`<a class="subject" href="${SEARCH_PATH}" title="${t('All of Weft')}"
    >${sign && icon(sign)} ${t(label)} ${icon('cross')}${hiddenField('then', name)}</a
  >`
}

function placeholder(action: SearchView['action']): string {
  if (!action) return t('People, pages and actions')
  return action.name === 'log' ? t('Who did you talk to?') : t('Name of the person')
}

interface Shown {
  readonly mark: Marker
  readonly formToken: string
}

function group({ title, links }: SearchView['groups'][number], shown: Shown): Html {
  return html`<h2>${title}</h2>
    <ul>
      ${links.map((link) => html`<li>${linkItem(link, shown)}</li>`)}
    </ul>`
}

/** A link, or the button of a form for what acts at once. */
function linkItem(link: SearchLink, { mark, formToken }: Shown): Html {
  const { label, detail = '', path, fields, key, icon: sign } = link
  const said = typeof detail === 'string' ? html`<bdi>${mark(detail)}</bdi>` : detail
  const text = html`${link.face ?? (sign ? icon(sign) : NOTHING)}<bdi>${link.isEcho ? label : mark(label)}</bdi>${
    detail === '' ? NOTHING : html` <small>${said}</small>`
  }${key === undefined ? NOTHING : html` <kbd>${key}</kbd>`}`
  if (!fields) return html`<a href="${path}">${text}</a>`
  return html`<form method="post" action="${path}">
    ${formTokenField(formToken)} ${formKeyField()}
    ${Object.entries(fields).map(([name, value]) => hiddenField(name, value))}
    <button>${text}</button>
  </form>`
}

type Marker = (text: string) => Html

/** What was typed is marked where a word begins with it. A small word of a sentence is not. */
function markerOf(query: string): Marker {
  const typed = withoutSmallWords(piecesOf(query)).map(folded)
  return (text) =>
    joinHtml(
      piecesOf(text, true).map((piece) => {
        const plain = folded(piece)
        const begun = typed.find((one) => plain.startsWith(one))
        if (begun === undefined) return html`${piece}`
        const length = plain.length === piece.length ? begun.length : piece.length
        return html`<mark>${piece.slice(0, length)}</mark>${piece.slice(length)}`
      }),
      '',
    )
}

/** The words of a text; with `isAll`, also what is between them. */
function piecesOf(text: string, isAll = false): string[] {
  const pieces = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*|[^\p{L}\p{N}]+/gu) ?? []
  return isAll ? pieces : pieces.filter((piece) => /^[\p{L}\p{N}]/u.test(piece))
}

/** In small letters without accents. */
function folded(text: string): string {
  return normalForm(text, 'NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** As html/assets/keys.js reads them, by where they work. */
const SHORTCUTS = [
  {
    title: phrase('Everywhere'),
    keys: [
      [phrase('Ctrl K or ⌘ K'), phrase('Search people, pages and actions')],
      ['/', phrase('Go to the search field')],
      [phrase('Ctrl Enter'), phrase('Save what is written')],
      [phrase('Esc'), phrase('Close the box or the menu')],
      ['?', phrase('Show these shortcuts')],
    ],
  },
  {
    title: phrase('Lists'),
    keys: [
      ['j, k', phrase('Next or previous person')],
      [phrase('Enter'), phrase('Open the person')],
      ['x', phrase('Select; t, c and l are then for all selected')],
      ['d', phrase('Complete the follow-up')],
      ['l', phrase('Snooze the follow-up or the person')],
    ],
  },
  {
    title: phrase('Person'),
    keys: [
      ['c', phrase('Log contact')],
      ['n', phrase('Write a note')],
      ['t', phrase('Add a tag')],
      ['e', phrase('Edit the person')],
    ],
  },
  {
    title: phrase('Tidy up'),
    keys: [
      ['y', phrase('The same person: merge')],
      ['n', phrase('Different people')],
      ['s', phrase('Decide later')],
    ],
  },
] as const

function keysPanel(): Html {
  return html`<section class="panel shortcuts" id="keys" tabindex="-1" aria-labelledby="keys-title">
    <h2 id="keys-title">Keyboard shortcuts</h2>
    <form method="dialog">
      <button class="quiet" aria-label="${t('Close')}" title="${t('Close')}">
        ${icon('cross')}
      </button>
    </form>
    ${SHORTCUTS.map(
      ({ title, keys }) =>
        html`<div>
          <h3>${t(title)}</h3>
          <dl>${keys.map(([names, effect]) => shortcut(t(names), t(effect)))}</dl>
        </div>`,
    )}
    <p class="quiet">You can turn off single keys under <a href="${ACCOUNT_PATH}">Account</a>.</p>
  </section>`
}

function shortcut(names: string, effect: string): Html {
  return html`<div>
    <dt>${names.split(', ').map((name) => html`<kbd>${name}</kbd> `)}</dt>
    <dd>${effect}</dd>
  </div>`
}
