/** Fills the empty fields of a connection with values of others that are merged into it, and adds to its lists. */

import { isEntered } from '../../contact-files/contact/contact.ts'
import { RequestError } from '../../base/request-error.ts'
import { hasCallingCode, isSamePhone } from '../../identity/phone-number.ts'
import { addedDetails, respelledLabels } from '../model/add-details.ts'
import {
  FIELD_NAMES,
  LIST_FIELDS,
  TEXT_FIELDS,
  sourceOf,
  type Connection,
  type NewFieldSources,
  type ListField,
  type SourcedField,
  type TextField,
} from '../model/connection.ts'
import { timeKey } from '../model/field-sources.ts'
import { updateConnection } from '../model/connection-store.ts'
import { addTags, type Tag } from '../model/tag-store.ts'
import type { WholeConnection } from '../person/whole-connection.ts'
import {
  customFieldIn,
  detailFieldsOf,
  detailName,
  detailOf,
  withDetails,
  type Details,
} from '../../contact-files/contact/details.ts'
import { addsYear } from '../../dates/calendar-day.ts'
import { MAX_VALUES } from '../../base/limits.ts'
import type { MemberTransaction } from '../../db/database.ts'

/** The connection whose value each field gets. Without a choice, the kept value or the first that fills its gap. */
export type FieldChoices = Partial<Record<TextField, number>>

interface FillOptions {
  readonly now: number
  readonly choices?: FieldChoices | undefined
}

/** Fills the kept connection. Each value keeps its source, so that imports treat it as before. */
export async function fillGaps(
  tx: MemberTransaction,
  keep: WholeConnection,
  others: readonly WholeConnection[],
  { now, choices = {} }: FillOptions,
): Promise<Connection> {
  const { connection } = keep
  const values: Record<string, unknown> = {}
  const sources: NewFieldSources = {}
  for (const field of TEXT_FIELDS) {
    const chosen = choices[field]
    const giver =
      others.find(
        ({ connection: other }) => other.connectionId === chosen && other[field] !== null,
      ) ?? others.find(({ connection: other }) => isBetter(field, other, connection))
    if (!giver || chosen === connection.connectionId) continue
    values[field] = giver.connection[field]
    takeSource(sources, giver.connection, field)
  }
  const profileUrl = (values['profileUrl'] as string | undefined) ?? connection.profileUrl
  for (const field of LIST_FIELDS)
    values[field] = combined(field, connection, others, field === 'links' ? profileUrl : null)
  // If a member edited a list of one of them, imports must not add to it.
  for (const field of [...LIST_FIELDS, 'tags'] as const)
    if (others.some((other) => isEntered(other.connection.fieldSources[field])))
      sources[field] = 'typed'
  await addMissingTags(tx, keep, others)
  const filled = { ...connection, ...values }
  const details = combinedDetails(filled, others, sources)
  const after = {
    ...filled,
    details,
    fieldSources: { ...connection.fieldSources, ...sources },
    version: connection.version + 1,
    updatedAt: now,
  }
  await updateConnection(tx, connection, after)
  return after
}

/** Whether a value fills a gap. A birthday with its year is better than the same without. */
function isBetter(field: TextField, other: Connection, kept: Connection): boolean {
  const [value, present] = [other[field], kept[field]]
  if (value === null) return false
  return present === null || (field === 'birthday' && addsYear(value, present))
}

/** Records the source and, if it is known, the time of a value of the other connection. */
function takeSource(sources: NewFieldSources, giver: Connection, field: SourcedField): void {
  const time = giver.fieldSources[timeKey(field)]
  Object.assign(sources, {
    [field]: sourceOf(giver, field),
    ...(time !== undefined && { [timeKey(field)]: time }),
  })
}

/** Details that the kept connection lacks, and additional values for its lists. Their sources are added to `sources`. */
function combinedDetails(
  kept: Connection,
  others: readonly WholeConnection[],
  sources: NewFieldSources,
): Details {
  let details = withDetails(kept.details, [['labels', respelledLabels(kept.details, kept)]])
  for (const { connection } of others) {
    const added = addedDetails(details, connection.details, kept, {
      replaces: () => false,
      isClosed: () => false,
      onCut: (field) => {
        throw tooManyValues(detailName(field))
      },
    })
    for (const [field] of added) {
      const isOwn = detailOf(details, field) !== undefined
      if (!isOwn || isEntered(connection.fieldSources[field]))
        takeSource(sources, connection, field)
    }
    details = withDetails(details, added)
  }
  return details
}

/** The values of the kept connection, then of the others. A profile URL that is not used is kept as a link. */
function combined(
  field: ListField,
  connection: Connection,
  others: readonly WholeConnection[],
  profileUrl: string | null,
): readonly string[] {
  const all = [...connection[field]]
  for (const other of others) {
    for (const value of other.connection[field]) addValue(all, field, value)
    const url = other.connection.profileUrl
    if (field === 'links' && url !== null && url !== profileUrl) addValue(all, field, url)
  }
  return atMost(all, field)
}

/** Adds a value. If a phone number is there in another spelling, the one with a country code is kept. */
function addValue(all: string[], field: ListField, value: string): void {
  if (all.includes(value)) return
  const same = field === 'phones' ? all.findIndex((one) => isSamePhone(one, value)) : -1
  if (same === -1) all.push(value)
  else if (hasCallingCode(value) && !hasCallingCode(all[same] ?? '')) all[same] = value
}

async function addMissingTags(
  tx: MemberTransaction,
  { connection, tags }: WholeConnection,
  others: readonly WholeConnection[],
): Promise<void> {
  const all = new Map<string, Tag>()
  for (const tag of [...tags, ...others.flatMap((other) => other.tags)])
    if (!all.has(tag.key)) all.set(tag.key, tag)
  await addTags(tx, connection.connectionId, atMost([...all.values()], 'tags').slice(tags.length))
}

function atMost<Value>(values: Value[], field: ListField | 'tags'): Value[] {
  if (values.length <= MAX_VALUES) return values
  throw tooManyValues(field, `${values.length}`)
}

function tooManyValues(field: string, count = 'more'): RequestError {
  return new RequestError(
    'conflict',
    `The merged connection would have ${count} ${field}. The maximum is ${MAX_VALUES}.`,
    { hint: 'Remove some with update_connections, or merge fewer connections.' },
  )
}

/** The names in tools of the fields that received values. */
export function filledFields(before: WholeConnection, after: WholeConnection): string[] {
  const fields = [...TEXT_FIELDS, ...LIST_FIELDS].filter(
    (field) => JSON.stringify(before.connection[field]) !== JSON.stringify(after.connection[field]),
  )
  const [had, has] = [before.connection.details, after.connection.details]
  const details = detailFieldsOf(has).filter(
    (field) => JSON.stringify(detailOf(had, field)) !== JSON.stringify(detailOf(has, field)),
  )
  const filled: string[] = [
    ...fields.map((field) => FIELD_NAMES[field]),
    ...new Set(details.map((field) => (customFieldIn(field) ? 'custom' : detailName(field)))),
  ]
  return after.tags.length > before.tags.length ? [...filled, 'tags'] : filled
}
