// The calls, activities, conversations, reminders, tasks and notes of a contact.

import { dayAt, daysLater } from '../../dates/calendar-day.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { DAY } from '../../base/clock.ts'
import { nextDay, recurrenceOf, type RecurrenceUnit } from '../../dates/recurrence.ts'
import { oneLine } from '../contact/clean-text.ts'
import { MAX_FOLLOW_UP_LENGTH } from '../../base/limits.ts'
import { importedNotes } from '../file/contact-record.ts'
import {
  jsonDay,
  jsonFlag,
  jsonList,
  jsonNumber,
  jsonText,
  jsonTime,
  jsonValue,
  objectIn,
  peekText,
} from '../file/json-values.ts'
import { monicaEntryOf, takeEntry, type MonicaEntry } from './monica-entry.ts'
import type { MonicaAccount } from './monica-account.ts'
import type { ContactHistory } from '../contact/contact.ts'
import type { ContactInteraction } from '../contact/details.ts'

type FollowUp = ContactHistory['followUps'][number]

/** The groups of a contact by type, and the account that they refer to. */
interface ContactGroups {
  readonly name: string
  readonly groups: ReadonlyMap<string, readonly unknown[]>
  readonly account: MonicaAccount
}

export function monicaNotes(contact: ContactGroups): ContactHistory['notes'] {
  const entries = (type: string) => (contact.groups.get(type) ?? []).map(monicaEntryOf)
  const texts = [
    ...entries('note').map((one) => ({ one, text: jsonText(one.properties['body']) })),
    ...entries('life_event').map((one) => ({ one, text: lifeEventText(one, contact.account) })),
    ...entries('gift').map((one) => ({ one, text: giftText(one, contact.account) })),
    ...entries('debt').map((one) => ({ one, text: debtText(one, contact.name) })),
    ...entries('pet').map((one) => ({ one, text: petText(one) })),
    ...[...entries('reminder').filter(isOwnReminder), ...entries('task')]
      .map((one) => ({ one, text: wholeText(one) }))
      .filter(({ text }) => text.length > MAX_FOLLOW_UP_LENGTH),
  ]
  return texts.flatMap(({ one, text }) => {
    if (text !== '') takeEntry(one)
    return importedNotes(text, { createdAt: one.createdAt })
  })
}

/** Life events, gifts, debts and pets are headed by their kind. */
function headed(head: string, parts: readonly string[], rest: readonly string[]): string {
  const said = parts.filter((part) => part !== '').join(', ')
  return [said === '' ? head : `${head}: ${said}`, ...rest.filter((line) => line !== '')].join('\n')
}

function lifeEventText({ properties }: MonicaEntry, account: MonicaAccount): string {
  const { name, note, happened_at, specific_information } = properties
  const type = typeName(properties['type'], account)
  const [title, also] = jsonText(name) === '' ? [type, ''] : [jsonText(name), type]
  const day = jsonDay(happened_at)
  const head = day === undefined ? 'Life event' : `Life event on ${day}`
  return headed(
    head,
    [also === '' ? title : `${title} (${also})`],
    [jsonText(note), jsonText(specific_information)],
  )
}

function giftText({ properties }: MonicaEntry, { names }: MonicaAccount): string {
  const { name, comment, url, amount, status, date, recipient } = properties
  const day = jsonDay(date)
  const state = jsonText(status) === '' ? '' : ` (${jsonText(status)})`
  const head = `Gift${state}${day === undefined ? '' : ` on ${day}`}`
  const person = names.get(peekText(recipient))
  if (person !== undefined) jsonText(recipient)
  return headed(
    head,
    [jsonText(name), jsonText(amount), person === undefined ? '' : `for ${person}`],
    [jsonText(comment), jsonText(url)],
  )
}

function debtText({ properties }: MonicaEntry, name: string): string {
  const { amount, currency, status, in_debt } = properties
  // In some versions the currency is the whole record.
  const code = jsonText(currency) || jsonText(objectIn(currency)['iso'])
  const sum = [jsonText(amount), code].filter((part) => part !== '').join(' ')
  const isSettled = jsonValue(status, (text) => KNOWN_STATES.get(text) ?? null)
  const state = isSettled === true ? ' (settled)' : ''
  return isInDebt(in_debt)
    ? `Debt: I owe ${name} ${sum}${state}`
    : `Debt: ${name} owes me ${sum}${state}`
}

/** Whether a debt is settled, by its state. */
const KNOWN_STATES: ReadonlyMap<string, boolean> = new Map([
  ['complete', true],
  ['inprogress', false],
])

/** Some versions write yes and no. */
function isInDebt(value: unknown): boolean {
  return jsonFlag(value) || jsonValue(value, (text) => (text === 'yes' ? true : null)) === true
}

function petText({ properties: { name, category } }: MonicaEntry): string {
  const [title, kind] = [jsonText(name), jsonText(category)]
  return headed('Pet', [title === '' || kind === '' ? title || kind : `${title} (${kind})`], [])
}

/** Monica's own types have a key instead of a name: `ate_restaurant`. */
export function typeName(uuid: unknown, { types }: MonicaAccount): string {
  const type = types.get(peekText(uuid))
  if (!type) return ''
  jsonText(uuid)
  const { name, translation_key } = type.properties
  return jsonText(name) || jsonText(translation_key).replaceAll('_', ' ')
}

export function monicaInteractions(contact: ContactGroups): readonly ContactInteraction[] {
  const { groups, account } = contact
  const calls = (groups.get('call') ?? []).map(monicaEntryOf).map((one) => callOf(one, account))
  const conversations = (groups.get('conversation') ?? [])
    .map(monicaEntryOf)
    .map((one) => conversationOf(one, contact))
  const activities = (groups.get('activity') ?? []).flatMap((one) => {
    const activity = account.activities.get(peekText(one))
    if (!activity) return []
    jsonText(one)
    return [activityOf(activity, account)]
  })
  return [...calls, ...conversations, ...activities].filter((one) => one !== undefined)
}

function callOf(entry: MonicaEntry, account: MonicaAccount) {
  const { uuid, properties } = entry
  const { called_at, content, contact_called, emotions } = properties
  if (!hasDay(called_at, entry)) return undefined
  const felt = jsonList(emotions).map(jsonText).join(', ')
  return interactionAt(called_at, account, {
    entry,
    kind: 'call',
    direction: jsonFlag(contact_called) ? 'in' : 'out',
    key: uuid,
    text: [jsonText(content), felt === '' ? '' : `Emotions: ${felt}`],
  })
}

function activityOf(entry: MonicaEntry, account: MonicaAccount) {
  const { uuid, properties } = entry
  const { happened_at, summary, description, type } = properties
  if (!hasDay(happened_at, entry)) return undefined
  const kind = typeName(type, account)
  const subject = jsonText(summary) || kind
  return interactionAt(happened_at, account, {
    entry,
    kind: 'meeting',
    key: uuid,
    subject,
    text: [jsonText(description), kind === '' || kind === subject ? '' : `Activity: ${kind}`],
  })
}

function conversationOf(entry: MonicaEntry, { account, name }: ContactGroups) {
  const { uuid, properties } = entry
  const { happened_at, contact_field_type, messages } = properties
  if (!hasDay(happened_at, entry)) return undefined
  const service = typeName(contact_field_type, account)
  const texts = jsonList(messages).map((one) => {
    const message = monicaEntryOf(one)
    const { content, written_at, written_by_me } = message.properties
    takeEntry(message)
    const day = jsonDay(written_at)
    const on = day === undefined || day === jsonDay(happened_at) ? '' : ` (${day})`
    return `${jsonFlag(written_by_me) ? 'Me' : name}${on}: ${jsonText(content)}`
  })
  return interactionAt(happened_at, account, {
    entry,
    kind: service === 'Email' ? 'email' : 'message',
    key: uuid,
    subject: service === 'Email' ? '' : service,
    text: texts,
  })
}

/** Whether an interaction has a day, or the record at least the one on which it was written. */
function hasDay(written: unknown, { createdAt }: MonicaEntry): boolean {
  return createdAt !== null || jsonDay(peekText(written)) !== undefined
}

interface InteractionParts extends Pick<ContactInteraction, 'kind' | 'direction' | 'key'> {
  readonly entry: MonicaEntry
  readonly subject?: string
  readonly text: readonly string[]
}

/**
 * On the day on which it was written if it has no valid one. Monica asks for days; a time other than midnight is that of
 * another program. Undefined if it has neither.
 */
function interactionAt(
  written: unknown,
  { timeZone: zone }: MonicaAccount,
  { text: lines, subject = '', entry, ...parts }: InteractionParts,
): ContactInteraction | undefined {
  const time =
    jsonDay(written) === undefined ? createdDay(entry.createdAt) : Date.parse(jsonText(written))
  if (time === null || Number.isNaN(time)) return undefined
  takeEntry(entry)
  const text = lines.filter((line) => line !== '').join('\n')
  const isTimed = time % DAY !== 0
  return {
    ...parts,
    on: isTimed ? dayInZone(zone, time) : dayAt(time),
    ...(isTimed && { at: new Date(time).toISOString(), zone }),
    ...(subject !== '' && { subject }),
    ...(text !== '' && { text }),
  }
}

function createdDay(createdAt: number | null): number | null {
  return createdAt === null ? null : createdAt - (createdAt % DAY)
}

export function monicaFollowUps({ groups, account }: ContactGroups): readonly FollowUp[] {
  const reminders = (groups.get('reminder') ?? []).map(monicaEntryOf).filter(isOwnReminder)
  const tasks = (groups.get('task') ?? []).map(monicaEntryOf)
  return [
    ...reminders.map((one) => reminderOf(one, account)),
    ...tasks.map((one) => taskOf(one, account)),
  ].filter((one) => one !== undefined)
}

/** Monica creates the others for birthdays and other days of the contact. */
function isOwnReminder({ properties }: MonicaEntry): boolean {
  const { delible } = properties
  return delible === undefined || delible === null || jsonFlag(delible)
}

function reminderOf(entry: MonicaEntry, { exportedOn }: MonicaAccount): FollowUp | undefined {
  const { properties, createdAt } = entry
  const { initial_date, title, description, frequency_type, frequency_number, inactive } =
    properties
  if (peekText(title) === '' && peekText(description) === '') return undefined
  takeEntry(entry)
  const from = jsonDay(initial_date) ?? dayWritten(createdAt, exportedOn)
  const every = Math.max(1, Math.trunc(jsonNumber(frequency_number) ?? 1) || 1)
  const unit = jsonValue(frequency_type, (text) => UNITS.find((one) => one === text) ?? null)
  if (unit === null && peekText(frequency_type) === 'one_time') jsonText(frequency_type)
  const recurrence = (unit && recurrenceOf({ every, unit })) ?? 'none'
  // Once in many years stays in the text.
  const isTooRare = unit !== null && recurrence === 'none'
  const text = followUpText([
    jsonText(title),
    isTooRare ? `every ${every} ${unit}s` : '',
    jsonText(description),
  ])
  const next = nextDay(from, recurrence, daysLater(exportedOn, -1))
  return {
    text,
    dueOn: from >= exportedOn ? from : (next ?? from),
    recurrence,
    countsFrom: from,
    completedAt: jsonFlag(inactive) ? Date.parse(from) : null,
    createdAt,
    ...(unit && { isWholeSeries: true }),
  }
}

const UNITS = ['week', 'month', 'year'] as const satisfies RecurrenceUnit[]

/** Tasks have no due date: they are due since they were written. */
function taskOf(entry: MonicaEntry, { exportedOn }: MonicaAccount): FollowUp | undefined {
  const { createdAt } = entry
  const { title, description, completed, completed_at } = entry.properties
  const text = followUpText([jsonText(title), '', jsonText(description)])
  if (text === '') return undefined
  takeEntry(entry)
  const dueOn = dayWritten(createdAt, exportedOn)
  return {
    text,
    dueOn,
    recurrence: 'none',
    countsFrom: dueOn,
    completedAt: jsonFlag(completed) ? (jsonTime(completed_at) ?? createdAt ?? 0) : null,
    createdAt,
  }
}

function dayWritten(createdAt: number | null, exportedOn: string): string {
  return createdAt === null ? exportedOn : dayAt(createdAt)
}

/** A follow-up of which a part is missing is also a note. */
function wholeText({ properties: { title, description } }: MonicaEntry): string {
  return [jsonText(title), jsonText(description)].join('\n').trim()
}

function followUpText([title = '', every = '', description = '']: readonly string[]): string {
  const head = every === '' ? title : `${title} (${every})`
  return oneLine(description === '' ? head : `${head}: ${description}`, MAX_FOLLOW_UP_LENGTH)
}
