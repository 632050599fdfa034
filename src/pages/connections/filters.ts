/** The filters of the connection list: a chip for each that is set, and the form that adds one. */

import { MAX_FILTER_LENGTH } from '../../connections/search/query-limits.ts'
import { customFieldId, type CustomField } from '../../connections/model/custom-fields.ts'
import { hiddenField, selectField, textField } from '../../html/form.ts'
import { NOTHING, attributes, html, type Html } from '../../html/html.ts'
import { CONNECTIONS_PATH, CUSTOM_FIELDS_PATH } from '../../html/site-map.ts'
import { calendarDateText } from '../ui/calendar-date.ts'
import { NO_FILTERS, type ListState } from '../../connections/people/list-state.ts'
import { listPath } from '../ui/list-path.ts'
import { SOURCE_LABELS } from '../../connections/people/source-labels.ts'
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
  company: (value) => `Company: ${value}`,
  title: (value) => `Title: ${value}`,
  tag: (value) => `Tag: ${value}`,
  place: (value) => `Location: ${value}`,
  source: (value) => `Source: ${SOURCE_LABELS[value as Source]}`,
  import: (value) => `Import ${value}`,
  has: (value) => `Has ${value}`,
  lacks: (value) => `No ${value}`,
  silent: (value) => `No contact for ${value} days`,
  before: (value) => `Last contact before ${calendarDateText(value)}`,
  due: (value) => (value === '0' ? 'Due to contact' : `Due within ${value} days`),
  added: (value) => `Added in the last ${value} days`,
  contacted: (value) => `Contacted in the week of ${calendarDateText(value)}`,
  met: (value) => `Met in ${value}`,
  jobs: () => 'Changed jobs',
  duplicates: () => 'Possible duplicates',
  field: (value, state, { fields }) => {
    const field = fields.find(({ fieldId }) => customFieldId(fieldId) === value)
    return `${field?.name ?? 'Custom field'}: ${state.value === '' ? 'any' : state.value}`
  },
}

/** Links, each to the list without one filter. */
export function filterChips(state: ListState, options: FilterOptions): Html {
  const chips = Object.entries(CHIPS).map(([name, label]) => {
    const value = state[name as Name]
    if (value === '') return NOTHING
    const without = { ...state, [name]: '', page: '', ...(name === 'field' && { value: '' }) }
    const chip = html`<bdi>${label(value, state, options)}</bdi> <span aria-hidden="true">×</span
      ><span class="unseen">, remove</span>`
    return html`<a class="chip on" href="${listPath(without)}">${chip}</a>`
  })
  return html`${chips}`
}

const DAYS = { 30: '30 days', 90: '90 days', 180: '6 months', 365: 'a year', 730: 'two years' }

/** The form behind “Add filter”, with the filters that are set. */
export function filterForm(state: ListState, options: FilterOptions): Html {
  const { q, mode, sort, import: job, met, contacted, duplicates } = state
  const kept = Object.entries({ q, mode, sort, import: job, met, contacted, duplicates }).filter(
    ([, value]) => value !== '',
  )
  return html`<details class="add-filter" ${attributes({ open: options.error !== undefined })}>
    <summary class="chip">Add filter</summary>
    <form action="${CONNECTIONS_PATH}">
      ${kept.map(([name, value]) => hiddenField(name, value))}
      <div class="pair">
        ${text('company', 'Company', state)} ${text('title', 'Title', state)}
        ${text('place', 'Location', state)} ${tagChoice(state, options.tags)}
        ${choice('has', 'Has', state, PRESENCES)} ${choice('lacks', 'Has no', state, PRESENCES)}
        ${choice('silent', 'No contact for', state, DAYS)}
        ${textField({ name: 'before', label: 'Last contact before', type: 'date', value: state.before })}
        ${choice('due', 'Keep in touch', state, DUE)}
        ${choice('added', 'Added in the last', state, ADDED)}
        ${choice('source', 'Source', state, SOURCE_LABELS)}
        ${choice('jobs', 'Job', state, { changed: 'Changed jobs' })} ${customField(state, options)}
      </div>
      <div class="actions">
        <button>Apply</button>
        <a class="button plain" href="${listPath({ ...NO_FILTERS, q, mode })}">Clear filters</a>
        <a class="button quiet" href="${CUSTOM_FIELDS_PATH}">Custom fields</a>
      </div>
    </form>
  </details>`
}

const DUE = { 0: 'Due now', 7: 'Due within 7 days', 30: 'Due within 30 days' }
const PRESENCES = { email: 'Email', phone: 'Phone' }
const ADDED = { 1: 'day', 7: '7 days', 30: '30 days', 365: 'year' }

function text(name: 'company' | 'title' | 'place', label: string, state: ListState): Html {
  const value = state[name]
  return textField({ name, label, value, maxLength: MAX_FILTER_LENGTH, autocomplete: 'off' })
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
  return selectField({ name, label, value, options: [ANY, ...other, ...known] })
}

const ANY = { value: '', label: 'Any' }

function tagChoice(state: ListState, tags: readonly string[]): Html {
  return choice('tag', 'Tag', state, Object.fromEntries(tags.map((tag) => [tag, tag])))
}

function customField(state: ListState, { fields, error }: FilterOptions): Html {
  if (fields.length === 0) return NOTHING
  const names = fields.map(({ fieldId, name }) => [customFieldId(fieldId), name])
  return html`${choice('field', 'Custom field', state, Object.fromEntries(names) as Record<string, string>)}
  ${textField({
    name: 'value',
    label: 'Value',
    value: state.value,
    maxLength: MAX_FILTER_LENGTH,
    autocomplete: 'off',
    hint: 'Empty for any value. Numbers and dates also take >= and <.',
    error: error === undefined ? undefined : `The value ${error}.`,
  })}`
}
