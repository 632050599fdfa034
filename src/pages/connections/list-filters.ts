/** The filters of the connection list: a chip for each that is set, and the menu that adds one. */

import { phrase, t } from '../../languages/message.ts'
import { MAX_FILTER_LENGTH } from '../../connections/search/query-lengths.ts'
import { customFieldId, type CustomField } from '../../connections/custom-fields/custom-fields.ts'
import { bareField, hiddenField, selectField, textField } from '../../html/form.ts'
import { icon } from '../../html/icon.ts'
import { NOTHING, attributes, html, type Html } from '../../html/html.ts'
import { CONNECTIONS_PATH, networkPath } from '../../html/site-map.ts'
import { dateText } from '../../dates/format-date.ts'
import { NO_FILTERS, type ListState } from '../../connections/people/list-state.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { SOURCE_LABELS } from '../../connections/people/source-labels.ts'
import { NEAR_KM } from '../../connections/people/list-query.ts'
import type { Source } from '../../connections/model/connection.ts'

export interface FilterOptions {
  /** The most frequent tags of the network. */
  readonly tags: readonly string[]
  /** Every custom field of the network. */
  readonly fields: readonly CustomField[]
  /** What is wrong with the value of the filter by a custom field. */
  readonly error: string | undefined
}

type Name = keyof ListState

/** In the order of the chips. */
const CHIPS: Partial<
  Record<Name, (value: string, state: ListState, options: FilterOptions) => string>
> = {
  company: (value) => t('Company: {value}', { value }),
  title: (value) => t('Title: {value}', { value }),
  tag: (value) => t('Tag: {value}', { value }),
  place: (value) => t('Location: {value}', { value }),
  near: (value, { km }) =>
    t('Within {km} km of {city}', { km: km || String(NEAR_KM), city: value }),
  source: (value) => t('Source: {value}', { value: t(SOURCE_LABELS[value as Source]) }),
  import: (value) => t('Import {value}', { value }),
  has: (value) => t('Has {value}', { value: t(PRESENCE_WORDS[value] ?? value) }),
  lacks: (value) => t('No {value}', { value: t(PRESENCE_WORDS[value] ?? value) }),
  silent: (value) => t('No contact for {value} days', { value }),
  before: (value) => t('Last contact before {value}', { value: dateText(value) }),
  due: (value) => (value === '0' ? t('Due now') : t('Due within {value} days', { value })),
  added: (value) => t('Added in the last {value} days', { value }),
  contacted: (value) => t('Contacted in the week of {value}', { value: dateText(value) }),
  met: (value) => t('Met in {value}', { value }),
  jobs: () => t('Changed jobs'),
  duplicates: () => t('Possible duplicates'),
  field: (value, state, { fields }) => {
    const field = fields.find(({ fieldId }) => customFieldId(fieldId) === value)
    return `${field?.name ?? t('Custom field')}: ${state.value === '' ? t('any') : state.value}`
  },
}

/** Links, each to the list without one filter, then to the chart of a company and to the list without filters. */
export function filterChips(state: ListState, options: FilterOptions): Html {
  const { company, q, mode, sort, columns } = state
  const chips = Object.entries(CHIPS).flatMap(([name, label]) => {
    const value = state[name as Name]
    if (value === '') return []
    const without = {
      ...state,
      [name]: '',
      page: '',
      ...(name === 'field' && { value: '' }),
      ...(name === 'near' && { km: '' }),
    }
    const chip = html`<bdi>${label(value, state, options)}</bdi> <span aria-hidden="true">×</span
      ><span class="unseen">, remove</span>`
    return html`<a class="chip on" href="${listPath(without)}">${chip}</a>`
  })
  if (chips.length === 0) return NOTHING
  const chart =
    company !== '' &&
    html`<a class="chip" href="${networkPath({ company })}">Chart of <bdi>${company}</bdi></a>`
  const cleared = listPath({ ...NO_FILTERS, q, mode, sort, columns })
  return html`<div class="chips">
    ${chips} ${chart} <a class="button quiet" href="${cleared}">${t('Clear filters')}</a>
  </div>`
}

const DAYS = {
  30: phrase('30 days'),
  90: phrase('90 days'),
  180: phrase('6 months'),
  365: phrase('a year'),
  730: phrase('two years'),
}

/** The menu of filters: each opens its values, which are links, or its field. */
export function filterMenu(state: ListState, options: FilterOptions): Html {
  const view = { state, options }
  return html`<details
    class="dropdown filter-menu"
    name="menu"
    ${attributes({ open: options.error !== undefined })}
  >
    <summary class="button plain">${icon('filter')} ${t('Filter')}</summary>
    <div>
      ${textKind('company', t('Company'), state)} ${textKind('place', t('Location'), state)}
      ${valueKind('tag', t('Tag'), state, tagLabels(options.tags))}
      ${valueKind('silent', t('No contact for'), state, translated(DAYS))}
      ${valueKind('due', t('Get in touch'), state, translated(DUE))}
      ${textKind('title', t('Title'), state)} ${nearKind(state)}
      ${valueKind('has', t('Has'), state, translated(PRESENCES))}
      ${valueKind('lacks', t('Has no'), state, translated(PRESENCES))} ${beforeKind(state)}
      ${valueKind('added', t('Added in the last'), state, translated(ADDED))}
      ${valueKind('source', t('Source'), state, translated(SOURCE_LABELS))}
      ${valueKind('jobs', t('Job'), state, { changed: t('Changed jobs') })} ${customKind(view)}
    </div>
  </details>`
}

const DISTANCES = () =>
  Object.fromEntries([10, 50, 100, 250, 500].map((km) => [String(km), t('{km} km', { km })]))

const DUE = {
  0: phrase('Due now'),
  7: phrase('Due within 7 days'),
  30: phrase('Due within 30 days'),
}
const PRESENCES = {
  email: phrase('Email'),
  phone: phrase('Phone'),
  contact: phrase('Last contact'),
}
/** Within a sentence. */
const PRESENCE_WORDS: Readonly<Record<string, string>> = {
  email: phrase('email'),
  phone: phrase('phone'),
  contact: phrase('last contact'),
}
const ADDED = {
  1: phrase('day'),
  7: phrase('7 days'),
  30: phrase('30 days'),
  365: phrase('year'),
}

function translated(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).map(([key, label]) => [key, t(label)]))
}

function tagLabels(tags: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(tags.map((tag) => [tag, tag]))
}

/** One of the filters, closed. Only one is open at a time. */
function kind(label: string, content: Html, isOpen = false): Html {
  return html`<details name="filter" data-focus ${attributes({ open: isOpen })}>
    <summary>${label} ${icon('right')}</summary>
    ${content}
  </details>`
}

/** A filter whose values, by their labels, are links to the list with it. */
function valueKind(
  name: Name,
  label: string,
  state: ListState,
  labels: Readonly<Record<string, string>>,
): Html {
  const links = Object.entries(labels).map(([value, text]) => {
    const href = listPath({ ...state, [name]: value, page: '' })
    const current = state[name] === value ? 'true' : undefined
    return html`<li>
      <a ${attributes({ href, 'aria-current': current })}><bdi>${text}</bdi></a>
    </li>`
  })
  return links.length === 0
    ? NOTHING
    : kind(
        label,
        html`<ul>
          ${links}
        </ul>`,
      )
}

/** A filter with fields, beside the rest of the state. */
function fieldKind(
  names: readonly Name[],
  label: string,
  state: ListState,
  { fields, isOpen = false }: { readonly fields: Html; readonly isOpen?: boolean },
): Html {
  const kept = Object.entries({ ...state, page: '' }).filter(
    ([name, value]) => value !== '' && !names.some((one) => one === name),
  )
  const form = html`<form action="${CONNECTIONS_PATH}">
    ${kept.map(([name, value]) => hiddenField(name, value))} ${fields}
    <button class="plain">${t('Apply')}</button>
  </form>`
  return kind(label, form, isOpen)
}

function textKind(name: 'company' | 'title' | 'place', label: string, state: ListState): Html {
  const fields = bareField({ ...TYPED, name, label, placeholder: label, value: state[name] })
  return fieldKind([name], label, state, { fields })
}

const TYPED = { maxLength: MAX_FILTER_LENGTH, autocomplete: 'off' } as const

function nearKind(state: ListState): Html {
  const label = t('Near the city')
  const fields = html`${bareField({ ...TYPED, name: 'near', label, placeholder: label, value: state.near })}
  ${selectField({ name: 'km', label: t('Distance'), value: state.km || String(NEAR_KM), options: optionsOf(DISTANCES()) })}`
  return fieldKind(['near', 'km'], label, state, { fields })
}

function beforeKind(state: ListState): Html {
  const label = t('Last contact before')
  const fields = textField({ name: 'before', label, type: 'date', value: state.before })
  return fieldKind(['before'], label, state, { fields })
}

function customKind({ state, options: { fields: all, error } }: FilterView): Html {
  if (all.length === 0) return NOTHING
  const names = Object.fromEntries(
    all.map(({ fieldId, name }) => [customFieldId(fieldId), name] as const),
  )
  const fields = html`${selectField({ name: 'field', label: t('Custom field'), value: state.field, options: optionsOf(names) })}
  ${textField({
    ...TYPED,
    name: 'value',
    label: t('Value'),
    value: state.value,
    hint: t('Empty for any value. Numbers and dates also take >= and <.'),
    error: error === undefined ? undefined : t('The value {error}.', { error }),
  })}`
  const isOpen = error !== undefined
  return fieldKind(['field', 'value'], t('Custom field'), state, { fields, isOpen })
}

interface FilterView {
  readonly state: ListState
  readonly options: FilterOptions
}

function optionsOf(labels: Readonly<Record<string, string>>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }))
}
