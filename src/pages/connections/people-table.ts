/** The table of the connection list: about 30 px a row, and two lines a row on phones. */

import { phrase, t } from '../../languages/message.ts'
import { html, NOTHING, attributes, joinHtml, type Html } from '../../html/html.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { plainNote } from '../../connections/notes/note-text.page.ts'
import { CONNECTING, markerOf } from '../../search/index/snippet.ts'
import { groupText } from '../../connections/search/weaker-match.ts'
import type { SearchMatch } from '../../connections/search/show.ts'
import { positionLine } from '../person/detail-facts.ts'
import { dateText } from '../../dates/format-date.ts'
import { numberText } from '../../ui/numbers.ts'
import { face } from '../../html/face.ts'
import { shownColumns, NAME_COLUMN, type Column, type ColumnName } from './list-columns.ts'
import type { MatchedField } from '../../search/index/search-fields.ts'
import type { ListState } from '../../connections/people/list-state.ts'
import { listedPersonPath, listPath } from '../../connections/people/list-path.page.ts'
import { sortOf } from '../../connections/people/list-query.ts'
import type { Organization } from '../../contact-files/contact/details.ts'
import type { PageRow } from '../../connections/search/index/page-rows.ts'
import type { QueryWord } from '../../search/index/query-word.ts'
import type { Tag } from '../../connections/model/tag-store.ts'

export interface PeopleRows {
  readonly rows: readonly PageRow[]
  /** In the order of `rows`; empty without words. */
  readonly matches: readonly SearchMatch[]
  readonly words: readonly QueryWord[]
  /** The row before which the weaker matches begin, and how many there are. */
  readonly weaker: { readonly at: number; readonly total: number } | undefined
  /** Whether people with the same words stand together. */
  readonly isGrouped: boolean
  /** By connection ID: YYYY-MM-DD of the last contact. */
  readonly contactOf: ReadonlyMap<number, string>
  /** By connection ID: YYYY-MM-DD when the next contact is due. */
  readonly dueOf: ReadonlyMap<number, string>
  /** The position that each person left, in the list of job changes. */
  readonly formerOf: ReadonlyMap<number, Organization> | undefined
  /** Whether birthdays are asked for. */
  readonly isByBirthday: boolean
  /** YYYY-MM-DD */
  readonly today: string
}

/** A fragment. */
export function peopleTable(state: ListState, people: PeopleRows): Html {
  const mark = markedText(people.words)
  const matched = matchedWords(people.words)
  const current = sortOf(state)
  const isByDue = current.sort === 'due' || state.due !== ''
  const columns = shownColumns(
    state,
    people.isByBirthday ? 'birthday' : isByDue ? 'due' : undefined,
  )
  return html`<table class="people-table">
    <thead>
      <tr>
        <th scope="col" class="pick"><span class="unseen">Select</span></th>
        ${[NAME_COLUMN, ...columns].map((column) => heading(column, { state, current }))}
      </tr>
    </thead>
    <tbody>
      ${people.rows.map((row, at) => {
        return html`${people.isGrouped ? divider(people, at, columns.length + 2) : NOTHING}
        ${tableRow(row, { state, people, columns, mark, matched, match: people.matches[at] })}`
      })}
    </tbody>
  </table>`
}

/** Between complete and weaker matches, and between groups of these: why they are weaker. */
function divider({ matches, weaker }: PeopleRows, at: number, columns: number): Html {
  const isFirst = at === weaker?.at
  const [before, match] = [isFirst ? undefined : matches[at - 1], matches[at]]
  const reason = match?.weaker && groupText(match.weaker)
  const isRepeated = before?.weaker && groupText(before.weaker) === reason
  const said =
    isRepeated || reason === undefined ? NOTHING : html`<bdi>${capitalized(reason)}</bdi>`
  if (!isFirst && said === NOTHING) return NOTHING
  const total = isFirst
    ? html`<b>${t('Weaker matches: {total}', { total: numberText(weaker.total) })}</b> `
    : NOTHING
  return html`<tr class="divider">
    <th scope="rowgroup" colspan="${columns}">${total}${said}</th>
  </tr>`
}

interface Sorted {
  readonly state: ListState
  readonly current: ReturnType<typeof sortOf>
}

function heading({ label, sort, name }: Column<string>, { state, current }: Sorted): Html {
  const isCurrent = sort !== undefined && current.sort === sort
  const isDate = sort === 'contact' || sort === 'since'
  const isDescending = isCurrent && isDate !== current.isReversed
  const direction = isDescending ? 'descending' : 'ascending'
  const next = isCurrent && !current.isReversed ? `-${sort}` : (sort ?? '')
  const arrow = isCurrent
    ? html`<span aria-hidden="true"> ${isDescending ? '↓' : '↑'}</span>`
    : NOTHING
  const link =
    sort === undefined
      ? html`${t(label)}`
      : html`<a href="${listPath({ ...state, sort: next, page: '' })}">${t(label)}${arrow}</a>`
  const cell = { scope: 'col', class: name, 'aria-sort': isCurrent ? direction : undefined }
  return html`<th ${attributes(cell)}>${link}</th>`
}

interface RowView {
  readonly matched: (text: string) => ReadonlySet<string>
  readonly state: ListState
  readonly people: PeopleRows
  readonly mark: (text: string) => Html
  readonly match: SearchMatch | undefined
  readonly columns: readonly Column[]
}

/** Few elements, because a page has fifty rows: the text of a cell has the direction of its first letter. */
function tableRow(row: PageRow, view: RowView): Html {
  const { state, people, mark, columns } = view
  const { listed } = row
  const { connectionId: id, name } = listed
  const publicId = publicConnectionId(id)
  return html`<tr>
    <td class="pick">
      <input
        type="checkbox"
        name="c"
        value="${publicId}"
        aria-label="${t('Select {name}', { name })}"
      />
    </td>
    <td class="name">
      ${face(listed)}<a href="${listedPersonPath(publicId, state)}" dir="auto">${mark(name)}</a>
      ${why(row, view)} ${former(people.formerOf?.get(id))}
    </td>
    ${columns.map((column) => html`<td class="${column.name}" dir="auto">${CELLS[column.name](row, view)}</td>`)}
  </tr>`
}

const CELLS: Readonly<Record<ColumnName, (row: PageRow, view: RowView) => Html>> = {
  title: ({ listed }, { mark }) => mark(listed.title ?? ''),
  company: ({ listed }, { mark }) => mark(listed.company ?? ''),
  location: ({ listed }, { mark }) => mark(listed.location ?? ''),
  tags: ({ tags }, view) => (tags.length === 0 ? NOTHING : tagList(tags, view)),
  contact: ({ listed }, { people }) => shortDay(people.contactOf.get(listed.connectionId), people),
  due: ({ listed }, { people }) => shortDay(people.dueOf.get(listed.connectionId), people),
  since: ({ listed }) => html`${listed.connectedOn?.slice(0, 4)}`,
  email: ({ listed }) => html`${listed.emails[0]}`,
  phone: ({ phones }) => html`${phones[0]}`,
  birthday: ({ birthday }) => html`${birthday === null ? '' : dateText(birthday)}`,
}

/** `12 Nov`, with the year if it is not this one. */
function shortDay(day: string | undefined, { today }: Pick<PeopleRows, 'today'>): Html {
  if (day === undefined) return NOTHING
  if (day === today) return html`${t('today')}`
  const isThisYear = day.slice(0, 4) === today.slice(0, 4)
  return html`${dateText(isThisYear ? `-${day.slice(4)}` : day)}`
}

/** Fields that the table shows, where the match is marked. */
const SHOWN = new Set(['name', 'title', 'company', 'location', 'tags'])

type ShownColumn = 'title' | 'company' | 'location' | 'tags'

function isShownColumn(name: ColumnName): name is ShownColumn {
  return SHOWN.has(name)
}

/** What is not visible in the row, on one line: the part of a note or email. Phones show no tags. */
function why({ listed, tags }: PageRow, { match, mark, matched, columns }: RowView): Html {
  if (!match) return NOTHING
  const { fields } = match
  const text = match.snippet === undefined ? undefined : plainNote(match.snippet)
  const found = matched(text ?? '')
  // What is only related is no reason.
  if (text !== undefined && found.size === 0 && match.weaker) return NOTHING
  const snippet = found.size === 0 ? undefined : text
  const shown = columns.flatMap(({ name }) => (isShownColumn(name) ? [name] : []))
  const visible = (cells: readonly ShownColumn[]) => {
    const texts = cells.map((name) =>
      name === 'tags' ? tags.map(({ tag }) => tag).join('\n') : listed[name],
    )
    return matched([listed.name, ...texts].join('\n'))
  }
  if (snippet === undefined) {
    const others = fields.filter((field) => !SHOWN.has(field))
    const tag = tags.find((one) => matched(one.tag).size > 0)?.tag
    // Phones show no tags.
    if (
      tag !== undefined &&
      !matched(tag).isSubsetOf(visible(shown.filter((one) => one !== 'tags')))
    )
      return html`<p class="why narrow"><bdi>${mark(t('Tagged {tag}', { tag }))}</bdi></p>`
    if (others.length === 0 || visible(shown).size > 0) return NOTHING
    return html`<p class="why">Found in ${others.map((field) => t(FOUND_IN[field])).join(', ')}</p>`
  }
  const isIn = (cells: readonly ShownColumn[]) => found.isSubsetOf(visible(cells))
  if (isIn(shown.filter((name) => name !== 'tags'))) return NOTHING
  return html`<p class="${isIn(shown) ? 'why narrow' : 'why'}">
    <bdi>${mark(fromMatch(snippet, found))}</bdi>
  </p>`
}

/** Characters before the match, of which a row shows few. */
const MAX_BEFORE = 14

/** The text from a few words before the first match. */
function fromMatch(text: string, found: ReadonlySet<string>): string {
  const lower = text.toLowerCase()
  const at = Math.min(...[...found].map((word) => lower.indexOf(word)).filter((one) => one >= 0))
  if (at <= MAX_BEFORE || at === Infinity) return text
  const from = Math.min(text.indexOf(' ', at - MAX_BEFORE) + 1 || at, at)
  return `… ${text.slice(from)}`
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

const FOUND_IN: Readonly<Record<MatchedField, string>> = {
  name: phrase('name'),
  emails: phrase('emails'),
  phones: phrase('phones'),
  links: phrase('links'),
  company: phrase('company'),
  title: phrase('title'),
  location: phrase('location'),
  tags: phrase('tags'),
  details: phrase('details'),
  notes: phrase('notes'),
  follow_ups: phrase('follow-ups'),
}

function former(position: Organization | undefined): Html {
  return position === undefined ? NOTHING : html`<p class="why">Was ${positionLine(position)}</p>`
}

/** Pixels of the column beside the number of further tags, of a letter, and around a tag. */
const [TAGS_WIDTH, LETTER_WIDTH, TAG_PADDING] = [138, 6.4, 16]

/** The tags that fit, first those that match, and how many more there are. On narrow screens only one. */
function tagList(tags: readonly Tag[], { mark, matched }: RowView): Html {
  const found = tags.filter(({ tag }) => matched(tag).size > 0)
  const sorted = [...found, ...tags.filter((one) => !found.includes(one))]
  let width = 0
  const full = sorted.findIndex(({ tag }) => {
    width += tag.length * LETTER_WIDTH + TAG_PADDING
    return width > TAGS_WIDTH
  })
  const count = full < 0 ? tags.length : Math.max(full, 1)
  const more = (shown: number, kind: string) =>
    tags.length > shown ? html`<small class="${kind}">+${tags.length - shown}</small>` : NOTHING
  const badges = sorted
    .slice(0, count)
    .map(
      ({ tag }, at) => html`<bdi class="${at === 0 ? 'badge' : 'badge roomy'}">${mark(tag)}</bdi> `,
    )
  return html`<span>${badges}${more(count, 'roomy')}${more(1, 'tight')}</span>`
}

/** Words of a text that match the query are in `<mark>`: one for words that follow each other, with words such as `of` between them. */
function markedText(words: readonly QueryWord[]): (text: string) => Html {
  if (words.length === 0) return (text) => html`${text}`
  const pieces = markerOf(words)
  return (text) => {
    const all = pieces(text)
    const isIn = (at: number): boolean =>
      all[at]?.isMatch === true || (isBetween(all, at, -1) && isBetween(all, at, 1))
    const runs: { text: string; isMatch: boolean }[] = []
    for (const [at, piece] of all.entries()) {
      const isMatch = isIn(at)
      const last = runs.at(-1)
      if (last?.isMatch === isMatch) last.text += piece.text
      else runs.push({ text: piece.text, isMatch })
    }
    return joinHtml(
      runs.map((run) => (run.isMatch ? html`<mark>${run.text}</mark>` : html`${run.text}`)),
      '',
    )
  }
}

/** Reads the words of a text that match the query. */
function matchedWords(words: readonly QueryWord[]): (text: string) => ReadonlySet<string> {
  const pieces = markerOf(words)
  return (text) =>
    new Set(pieces(text).flatMap((piece) => (piece.isMatch ? piece.text.toLowerCase() : [])))
}

/** Pieces between two matches: `of` and two spaces. */
const MAX_BETWEEN = 3

/** Whether only spaces and such words are between the piece and a match in this direction. */
function isBetween(all: readonly Piece[], at: number, step: 1 | -1): boolean {
  for (let other = at; Math.abs(other - at) < MAX_BETWEEN; other += step) {
    const piece = all[other]
    if (!piece) return false
    if (piece.isMatch) return true
    if (piece.text !== ' ' && !CONNECTING.has(piece.text.toLowerCase())) return false
  }
  return all[at + step * MAX_BETWEEN]?.isMatch === true
}

type Piece = ReturnType<ReturnType<typeof markerOf>>[number]
