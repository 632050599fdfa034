/** The recorded values of a change as people read them: dates written out, lists of details without their JSON. */

import { phrase, t } from '../../languages/message.ts'
import {
  addressText,
  dateLabel,
  handleLabel,
  positionText,
  relationLabel,
} from '../../connections/person/detail-lines.ts'
import {
  customFieldIn,
  type AccountHandle,
  type LabeledDate,
  type Organization,
  type Relation,
} from '../../contact-files/contact/details.ts'
import { DELETED_TEXT } from '../../tools/activity-log/activity-page.ts'
import { recurrenceText } from '../../dates/recurrence-text.ts'
import { SOURCE_LABELS } from '../../connections/people/source-labels.ts'
import { INTERACTION_LABELS } from '../../connections/interactions/interaction-form.page.ts'
import { dateText } from '../../dates/format-date.ts'
import type { CustomField } from '../../connections/custom-fields/custom-fields.ts'

/** By the number of the field. */
export type FieldsById = ReadonlyMap<string, CustomField>

/** One value, or one item of a list, as text. Undefined for values that are recorded as text for people. */
export function recordedText(
  field: string,
  value: unknown,
  customFields: FieldsById,
): string | undefined {
  if (value === DELETED_TEXT) return t(DELETED_TEXT)
  if (typeof value === 'string')
    return dateIn(field, value, customFields) ?? momentIn(value) ?? chosenIn(field, value)
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  if (typeof value !== 'object' || value === null) return undefined
  if (field === 'labels')
    return Object.entries(value)
      .map(([labeled, label]) => `${labeled}: ${label}`)
      .join(', ')
  return LISTS[field]?.(value)
}

/** `due_on` becomes `Due on`, and the number of a custom field its name. */
export function fieldLabel(field: string, customFields: FieldsById): string {
  const custom = customFieldIn(field)
  if (custom !== undefined) return customFields.get(custom)?.name ?? t('Deleted custom field')
  const words = field.replaceAll('_', ' ')
  return t(FIELD_LABELS[field] ?? words.charAt(0).toUpperCase() + words.slice(1))
}

/** Other fields are called by their names. */
const FIELD_LABELS: Readonly<Record<string, string>> = {
  about: phrase('About'),
  addresses: phrase('Addresses'),
  birthday: phrase('Birthday'),
  cadence: phrase('Cadence'),
  choices: phrase('Choices'),
  company: phrase('Company'),
  connected_on: phrase('Connected on'),
  created: phrase('Created'),
  dates: phrase('Dates'),
  deleted_at: phrase('Deleted at'),
  direction: phrase('Direction'),
  due_on: phrase('Due on'),
  due_time: phrase('Due time'),
  email: phrase('Email'),
  emails: phrase('Emails'),
  every: phrase('Every'),
  expires: phrase('Expires'),
  filename: phrase('File'),
  handles: phrase('Accounts'),
  happened_on: phrase('Happened on'),
  headline: phrase('Headline'),
  kind: phrase('Kind'),
  links: phrase('Links'),
  location: phrase('Location'),
  merged_into: phrase('Merged into'),
  muted: phrase('Muted'),
  name: phrase('Name'),
  next_due_on: phrase('Next due on'),
  nickname: phrase('Nickname'),
  note: phrase('Note'),
  organization: phrase('Organization'),
  on: phrase('Date'),
  organizations: phrase('Positions'),
  paused_until: phrase('Paused until'),
  people: phrase('People'),
  phones: phrase('Phones'),
  photo: phrase('Photo'),
  profile_url: phrase('Profile URL'),
  recurrence: phrase('Recurrence'),
  rejected_count: phrase('Rejected'),
  relations: phrase('Relations'),
  redirect_host: phrase('Website'),
  review: phrase('To review'),
  rows: phrase('Rows'),
  skills: phrase('Skills'),
  skipped: phrase('Skipped'),
  subject: phrase('Subject'),
  tags: phrase('Tags'),
  text: phrase('Text'),
  title: phrase('Title'),
  unchanged: phrase('Unchanged'),
  unread_count: phrase('Values not recognized'),
  updated: phrase('Updated'),
  username: phrase('Username'),
  zone: phrase('Time zone'),
}

/** Items of the lists of details, as the service records them. */
const LISTS: Readonly<Record<string, (item: object) => string>> = {
  addresses: (item) => addressText(item),
  handles: (item) => `${handleLabel(item as AccountHandle)}: ${(item as AccountHandle).value}`,
  organizations: (item) => {
    const { from, until, ...position } = item as Organization
    return positionText({
      ...position,
      ...(from !== undefined && { from: dateText(from) }),
      ...(until !== undefined && { until: dateText(until) }),
    })
  },
  dates: (item) => `${dateLabel(item as LabeledDate)}: ${dateText((item as LabeledDate).date)}`,
  relations: (item) => `${relationLabel(item as Relation)}: ${(item as Relation).name}`,
}

const DATES: ReadonlySet<string> = new Set([
  'birthday',
  'connected_on',
  'due_on',
  'happened_on',
  'next_due_on',
  'on',
  'paused_until',
])

/** Values of fields that have few. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // The kinds of interactions and of custom fields.
  kind: {
    ...INTERACTION_LABELS,
    text: phrase('Text'),
    number: phrase('Number'),
    date: phrase('Date'),
    choice: phrase('Choice'),
    url: phrase('URL'),
  },
  format: SOURCE_LABELS,
  direction: { in: phrase('Incoming'), out: phrase('Outgoing') },
}

function chosenIn(field: string, value: string): string | undefined {
  if (field === 'recurrence') return recurrenceText(value)
  const text = CHOICES[field]?.[value]
  return text === undefined ? undefined : t(text)
}

function dateIn(field: string, value: string, customFields: FieldsById): string | undefined {
  const custom = customFieldIn(field)
  const isDate = custom === undefined ? DATES.has(field) : customFields.get(custom)?.kind === 'date'
  return isDate ? dateText(value) : undefined
}

/** A recorded time, to the minute. */
function momentIn(value: string): string | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+Z$/.exec(value) ?? []
  return day === undefined || time === undefined
    ? undefined
    : t('{day}, {time} UTC', { day: dateText(day), time })
}
