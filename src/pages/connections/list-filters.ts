/** The filters of the connection list: a chip for each that is set, and the form that adds one. */

import { phrase, t } from '../../languages/message.ts'
import { MAX_FILTER_LENGTH } from '../../connections/search/query-limits.ts'
import { customFieldId, type CustomField } from '../../connections/custom-fields/custom-fields.ts'
import { hiddenField, selectField, textField } from '../../html/form.ts'
import { NOTHING, attributes, html, type Html } from '../../html/html.ts'
import {
  CONNECTIONS_PATH,
  CUSTOM_FIELDS_PATH,
  networkPath,
  TAG_CADENCES_PATH,
} from '../../html/site-map.ts'
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
  due: (value) => (value === '0' ? t('Due to contact') : t('Due within {value} days', { value })),
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

/** Links, each to the list without one filter, and to the chart of a company. */
export function filterChips(state: ListState, options: FilterOptions): Html {
  const chips = Object.entries(CHIPS).map(([name, label]) => {
    const value = state[name as Name]
    if (value === '') return NOTHING
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
  const { company } = state
  const chart =
    company !== '' &&
    html`<a class="chip" href="${networkPath({ company })}">Chart of <bdi>${company}</bdi></a>`
  return html`${chips} ${chart}`
}

const DAYS = {
  30: phrase('30 days'),
  90: phrase('90 days'),
  180: phrase('6 months'),
  365: phrase('a year'),
  730: phrase('two years'),
}

/** The form behind “Add filter”, with the filters that are set. */
export function filterForm(state: ListState, options: FilterOptions): Html {
  const { q, mode, sort, columns, import: job, met, contacted, duplicates } = state
  const kept = Object.entries({
    q,
    mode,
    sort,
    columns,
    import: job,
    met,
    contacted,
    duplicates,
  }).filter(([, value]) => value !== '')
  return html`<details class="add-filter" ${attributes({ open: options.error !== undefined })}>
    <summary class="chip">Add filter</summary>
    <form action="${CONNECTIONS_PATH}">
      ${kept.map(([name, value]) => hiddenField(name, value))}
      <div class="pair">
        ${text('company', t('Company'), state)} ${text('place', t('Location'), state)}
        ${tagChoice(state, options.tags)}
        ${choice('silent', t('No contact for'), state, translated(DAYS))}
        ${choice('due', t('Keep in touch'), state, translated(DUE))}
      </div>
      <details ${attributes({ open: RARE.some((name) => state[name] !== '') })}>
        <summary>More filters</summary>
        <div class="pair">
          ${text('title', t('Title'), state)} ${text('near', t('Near the city'), state)}
          ${choice('km', t('Distance'), state, DISTANCES())}
          ${choice('has', t('Has'), state, translated(PRESENCES))}
          ${choice('lacks', t('Has no'), state, translated(PRESENCES))}
          ${textField({ name: 'before', label: t('Last contact before'), type: 'date', value: state.before })}
          ${choice('added', t('Added in the last'), state, translated(ADDED))}
          ${choice('source', t('Source'), state, translated(SOURCE_LABELS))}
          ${choice('jobs', t('Job'), state, { changed: t('Changed jobs') })}
          ${customField(state, options)}
        </div>
      </details>
      <div class="actions">
        <button class="plain">Apply</button>
        <a class="button plain" href="${listPath({ ...NO_FILTERS, q, mode })}"
          >${t('Clear filters')}</a
        >
        <a class="button quiet" href="${CUSTOM_FIELDS_PATH}">${t('Custom fields')}</a>
        <a class="button quiet" href="${TAG_CADENCES_PATH}">${t('Cadences of tags')}</a>
      </div>
    </form>
  </details>`
}

const DISTANCES = () =>
  Object.fromEntries([10, 50, 100, 250, 500].map((km) => [String(km), t('{km} km', { km })]))

/** Behind “More filters”. */
const RARE = [
  'title',
  'near',
  'has',
  'lacks',
  'before',
  'added',
  'source',
  'jobs',
  'field',
] as const

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

function text(name: 'company' | 'title' | 'place' | 'near', label: string, state: ListState): Html {
  const value = state[name]
  return textField({ name, label, value, maxLength: MAX_FILTER_LENGTH, autocomplete: 'off' })
}

function translated(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).map(([key, label]) => [key, t(label)]))
}

/** `labels` by value. A value of the URL that is not among them stays. */
function choice(
  name: Name,
  label: string,
  state: ListState,
  labels: Readonly<Record<string, string>>,
): Html {
  const value = state[name]
  const known = Object.entries(labels).map(([key, shown]) => ({ value: key, label: shown }))
  const other = value === '' || value in labels ? [] : [{ value, label: value }]
  return selectField({
    name,
    label,
    value,
    options: [{ value: '', label: t('Any') }, ...other, ...known],
  })
}

function tagChoice(state: ListState, tags: readonly string[]): Html {
  return choice('tag', t('Tag'), state, Object.fromEntries(tags.map((tag) => [tag, tag])))
}

function customField(state: ListState, { fields, error }: FilterOptions): Html {
  if (fields.length === 0) return NOTHING
  const names = fields.map(({ fieldId, name }) => [customFieldId(fieldId), name])
  return html`${choice('field', t('Custom field'), state, Object.fromEntries(names) as Record<string, string>)}
  ${textField({
    name: 'value',
    label: t('Value'),
    value: state.value,
    maxLength: MAX_FILTER_LENGTH,
    autocomplete: 'off',
    hint: t('Empty for any value. Numbers and dates also take >= and <.'),
    error: error === undefined ? undefined : t('The value {error}.', { error }),
  })}`
}
