/** The filters of the directory page: those that are active, and values to narrow the members found. */

import { phrase, t } from '../../languages/message.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { DIRECTORY_PATH } from '../../html/site-map.ts'
import { numberText } from '../../ui/numbers.ts'
import { icon } from '../../html/icon.ts'
import {
  FILTER_NAMES,
  locationParts,
  type FilterName,
  type FilterValue,
  type FoundMembers,
} from '../../members/directory-filters.ts'
import { addressOf, type DirectoryQuery } from '../../members/public/directory-parameters.ts'

const LABELS: Readonly<Record<FilterName, string>> = {
  location: phrase('Location'),
  company: phrase('Company'),
  skill: phrase('Skill'),
}

interface ActiveFilter {
  readonly name: FilterName
  readonly label: string
  readonly value: string
}

export function activeFilters(asked: DirectoryQuery): ActiveFilter[] {
  return FILTER_NAMES.flatMap((name) => {
    const value = asked[name]?.trim() ?? ''
    return value === '' ? [] : [{ name, label: t(LABELS[name]), value }]
  })
}

/** Each is a link to the search without it. */
export function activeList(asked: DirectoryQuery): Html {
  const active = activeFilters(asked)
  if (active.length === 0) return NOTHING
  const items = active.map(({ name, label, value }) => {
    const without = addressOf(DIRECTORY_PATH, { ...asked, cursor: undefined, [name]: '' })
    return html`<li class="badge">
      <a href="${without}">
        <span>${label}: <bdi>${value}</bdi></span>
        <span class="unseen">Remove this filter</span> ${icon('cross')}
      </a>
    </li>`
  })
  return html`<ul class="tags filters" aria-label="Filters">
    ${items}
  </ul>`
}

/** Fewer members are read sooner than values to narrow them. */
const MIN_NARROWED = 8
/** The most frequent values of a kind. */
const MAX_SHOWN = 5

/** Values that some, but not all, of the members found have. */
export function narrowingList(asked: DirectoryQuery, { total, values }: FoundMembers): Html {
  if (total < MIN_NARROWED) return NOTHING
  const rows = FILTER_NAMES.map((name) => {
    const present = (asked[name] ?? '').trim()
    // What only one member has narrows to a line that is in the list already.
    const narrowing = values[name].filter(({ members }) => members > 1 && members < total)
    if (narrowing.length === 0 || (name !== 'location' && present !== '')) return NOTHING
    const links = narrowing.slice(0, MAX_SHOWN).map((value) => narrowingLink(asked, name, value))
    return html`<div>
      <dt>${t(LABELS[name])}</dt>
      <dd>
        <ul class="tags">
          ${links}
        </ul>
      </dd>
    </div>`
  })
  return rows.every((row) => row === NOTHING)
    ? NOTHING
    : html`<nav aria-label="Narrow down"><dl class="narrowing">${rows}</dl></nav>`
}

function narrowingLink(
  asked: DirectoryQuery,
  name: FilterName,
  { label, members }: FilterValue,
): Html {
  const value =
    name === 'location' ? [label, ...locationParts(asked.location ?? '')].join(', ') : label
  const address = addressOf(DIRECTORY_PATH, { ...asked, cursor: undefined, [name]: value })
  return html`<li class="badge">
    <a href="${address}" rel="nofollow"><bdi>${label}</bdi><small>${numberText(members)}</small></a>
  </li>`
}
