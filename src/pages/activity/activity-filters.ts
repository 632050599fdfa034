/** The filters of the activity page: by agent, kind and date. */

import { phrase, t } from '../../languages/message.ts'
import { daysLater } from '../../dates/calendar-day.ts'
import { endOfDayInZone } from '../../dates/time-zone.ts'
import {
  ACTIVITY_KINDS,
  type ActivityFilter,
  type ActivityKind,
} from '../../tools/activity-log/activity-filter.ts'
import { checkDay, readDay } from '../../forms/date-field.ts'
import { errorsOf, fieldState, type FieldErrors } from '../../forms/field-errors.ts'
import { hiddenField, selectField, textField } from '../../html/form.ts'
import { NOTHING, attributes, html, type Html } from '../../html/html.ts'
import { ACTIVITY_PATH } from '../../html/site-map.ts'
import { buttonLink, tabLinks } from '../../ui/sections.ts'
import type { DateContext } from '../../dates/read-date.ts'

/** The parameters of the URL, empty if absent. */
interface TypedFilters {
  readonly connection: string
  /** `you`, `agents`, or `agent:` and its name. */
  readonly by: string
  readonly kind: string
  readonly from: string
  readonly until: string
}

export function typedFilters(search: string): TypedFilters {
  const sent = new URLSearchParams(search)
  const text = (name: keyof TypedFilters) => (sent.get(name) ?? '').trim().slice(0, MAX_LENGTH)
  return {
    connection: text('connection'),
    by: text('by'),
    kind: text('kind'),
    from: text('from'),
    until: text('until'),
  }
}

/** The longest name of an agent fits. */
const MAX_LENGTH = 200

interface ReadFilters {
  readonly filter: Omit<ActivityFilter, 'connectionId'>
  /** Errors of dates that could not be read. They do not filter. */
  readonly errors: FieldErrors
}

/** Days are in the reader's time zone. Unknown values do not filter. */
export function readFilters(typed: TypedFilters, context: DateContext): ReadFilters {
  const { by, kind } = typed
  const errors = {
    ...errorsOf(checkDay('from', typed.from, context, MEANT.from)),
    ...errorsOf(checkDay('until', typed.until, context, MEANT.until)),
  }
  const endOf = (name: 'from' | 'until', later: number) => {
    const text = typed[name]
    if (text === '' || name in errors) return undefined
    return endOfDayInZone(context.timeZone, daysLater(readDay(text, context, MEANT[name]), later))
  }
  return {
    filter: {
      agent: by === YOU ? null : by.startsWith(AGENT) ? by.slice(AGENT.length) : undefined,
      isByAgent: by === AGENTS,
      kind: Object.hasOwn(ACTIVITY_KINDS, kind) ? (kind as ActivityKind) : undefined,
      from: endOf('from', -1),
      until: endOf('until', 0),
    },
    errors,
  }
}

/** The day that is meant by periods such as `last week`. */
const MEANT = { from: 'latest-first', until: 'latest-last' } as const

const YOU = 'you'
const AGENTS = 'agents'
const AGENT = 'agent:'

/** The page with these filters. */
export function filteredPath(
  typed: TypedFilters,
): typeof ACTIVITY_PATH | `${typeof ACTIVITY_PATH}?${string}` {
  const set = Object.entries(typed).filter(([, value]) => value !== '')
  return set.length === 0
    ? ACTIVITY_PATH
    : `${ACTIVITY_PATH}?${new URLSearchParams(set).toString()}`
}

/** The page with what the agent of this name changed. */
export function agentActivityPath(name: string) {
  return filteredPath({ ...NONE, by: AGENT + name })
}

export function isFiltered({ by, kind, from, until }: TypedFilters): boolean {
  return [by, kind, from, until].some((value) => value !== '')
}

/** Links to the most wanted filters. */
export function activitySegments({ connection, by, kind, from, until }: TypedFilters): Html {
  const isPlain = from === '' && until === ''
  const segments = [
    { label: t('Everyone'), by: '', kind: '' },
    { label: t('Agents'), by: AGENTS, kind: '' },
    { label: t('You'), by: YOU, kind: '' },
    { label: t('Imports'), by: '', kind: 'imports' },
  ].map(({ label, ...filter }) => {
    const isHere = isPlain && filter.by === by && filter.kind === kind
    return { label, path: filteredPath({ ...NONE, connection, ...filter }), isHere }
  })
  return tabLinks(t('Author'), segments)
}

/** `agents` are the names of all agents of the member. */
export function activityFilterForm(
  typed: TypedFilters,
  errors: FieldErrors,
  agents: readonly string[],
): Html {
  const { connection, by, kind } = typed
  const state = { typed: { ...typed }, errors }
  const isOpen = isFiltered(typed)
  const known = by.startsWith(AGENT) ? [...agents, by.slice(AGENT.length)] : agents
  const authors = [...new Set(known)].map((name) => ({ value: AGENT + name, label: name }))
  return html`<details
    class="dropdown"
    name="menu"
    ${attributes({ open: Object.keys(errors).length > 0 })}
  >
    <summary class="button plain">Filter</summary>
    <div>
      <form action="${ACTIVITY_PATH}">
        ${connection === '' ? NOTHING : hiddenField('connection', connection)}
        ${selectField({ name: 'by', label: t('By'), value: by, options: [...PEOPLE.map(translated), ...authors] })}
        ${selectField({ name: 'kind', label: t('Kind'), value: kind, options: KINDS.map(translated) })}
        ${textField({ ...fieldState(state, 'from', t('From')), autocomplete: 'off', isDate: 'past' })}
        ${textField({ ...fieldState(state, 'until', t('Until')), autocomplete: 'off', isDate: 'past' })}
        <div class="actions">
          <button>Apply</button>
          ${isOpen ? buttonLink(filteredPath({ ...NONE, connection }), t('Clear filters')) : NOTHING}
        </div>
      </form>
    </div>
  </details>`
}

const NONE: TypedFilters = { connection: '', by: '', kind: '', from: '', until: '' }

const PEOPLE = [
  { value: '', label: phrase('Anyone') },
  { value: AGENTS, label: phrase('Agents') },
  { value: YOU, label: phrase('You') },
]

const KIND_LABELS: Readonly<Record<ActivityKind, string>> = {
  connections: phrase('People'),
  notes: phrase('Notes'),
  interactions: phrase('Contacts'),
  follow_ups: phrase('Follow-ups'),
  imports: phrase('Imports'),
  custom_fields: phrase('Custom fields'),
  profile: phrase('Profile'),
  account: phrase('Account'),
}

function translated({ value, label }: { readonly value: string; readonly label: string }) {
  return { value, label: t(label) }
}

const KINDS = [
  { value: '', label: phrase('Anything') },
  ...Object.entries(KIND_LABELS).map(([value, label]) => ({ value, label })),
]
