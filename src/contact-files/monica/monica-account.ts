// The account of an export: what its contacts refer to by UUID.

import { canonicalTimeZone } from '../../base/time-zone.ts'
import { jsonDay, jsonList, jsonText, objectIn } from '../file/json-values.ts'
import { entryOf, groupsIn, type MonicaEntry } from './monica-entry.ts'

/** `contact` is the `type` of the person who has it: their child, for `child`. */
interface Relationship {
  readonly contact: string
  readonly type: string
}

export interface MonicaAccount {
  readonly contacts: readonly MonicaEntry[]
  /** By UUID. */
  readonly names: ReadonlyMap<string, string>
  readonly activities: ReadonlyMap<string, MonicaEntry>
  readonly photos: ReadonlyMap<string, MonicaEntry>
  /** What others are to a contact, by its UUID. */
  readonly relationships: ReadonlyMap<string, readonly Relationship[]>
  /** Names of genders, types of activities, life events and contact fields, by UUID. */
  readonly types: ReadonlyMap<string, MonicaEntry>
  /** Of the person who exported it. */
  readonly timeZone: string
  /** YYYY-MM-DD */
  readonly exportedOn: string
  /** The number of entries of each part of the account. */
  readonly counts: ReadonlyMap<string, number>
}

export function accountIn(file: unknown): MonicaAccount {
  const { account, exported_by, export_date } = objectIn(file)
  const { data, properties, instance } = objectIn(account)
  const groups = groupsIn(jsonList(data))
  const entries = (type: string) => (groups.get(type) ?? []).map(entryOf)
  const contacts = entries('contact')
  const users = entries('user')
  const user = users.find(({ uuid }) => uuid === jsonText(exported_by)) ?? users[0]
  const diary = listsIn(properties)
  return {
    contacts,
    names: new Map(contacts.map((contact) => [contact.uuid, nameOf(contact)])),
    activities: byUuid(entries('activity')),
    photos: byUuid(entries('photo')),
    relationships: relationshipsOf(entries('relationship')),
    types: byUuid(
      listsIn(instance)
        .flatMap(([, values]) => values)
        .map(entryOf),
    ),
    timeZone: canonicalTimeZone(jsonText(user?.properties['timezone'])) ?? 'UTC',
    exportedOn: jsonDay(export_date) ?? LATEST_DAY,
    counts: new Map([
      ...[...groups].map(([type, values]) => [type, values.length] as const),
      ...diary.map(([name, values]) => [name, values.length] as const),
    ]),
  }
}

const LATEST_DAY = '9999-12-31'

function listsIn(value: unknown): readonly (readonly [string, readonly unknown[]])[] {
  return Object.entries(objectIn(value)).flatMap(([name, list]) =>
    Array.isArray(list) && list.length > 0 ? [[name, list] as const] : [],
  )
}

function byUuid(entries: readonly MonicaEntry[]): ReadonlyMap<string, MonicaEntry> {
  return new Map(entries.map((entry) => [entry.uuid, entry]))
}

/** In one line; the nickname if there is no other name. */
export function nameOf({ properties }: MonicaEntry): string {
  const { first_name, last_name, nickname } = properties
  const name = [first_name, last_name].map(jsonText).filter((part) => part !== '')
  return name.length > 0 ? name.join(' ') : jsonText(nickname)
}

/**
 * The names of the columns mislead: on the page of `contact_is`, Monica shows `of_contact` under the heading of the type. Its
 * form asks there what the other person is. Sources in Monica 4.1: `Contact::relationships` (app/Models/Contact/Contact.php),
 * resources/views/people/relationship/_relationship.blade.php. Most are in the file twice, once for each of the two people.
 */
function relationshipsOf(entries: readonly MonicaEntry[]): MonicaAccount['relationships'] {
  const all = entries.map(({ properties }) => ({
    owner: jsonText(properties['contact_is']),
    contact: jsonText(properties['of_contact']),
    type: jsonText(properties['type']),
  }))
  const others = all.filter(({ owner, contact }) => owner !== contact)
  return Map.groupBy(others, ({ owner }) => owner)
}
