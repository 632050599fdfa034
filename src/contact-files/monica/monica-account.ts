// The account of an export: what its contacts refer to by UUID.

import { canonicalTimeZone } from '../../dates/time-zone.ts'
import { jsonDay, jsonList, objectIn, peekText, type ExportedObject } from '../file/json-values.ts'
import {
  monicaEntryOf,
  groupsIn,
  reportedGroups,
  reportedValue,
  type MonicaEntry,
} from './monica-entry.ts'
import { sectionsBeside, type Section } from '../file/unread-values.ts'

/** `contact` is the `type` of the person who has it: their child, for `child`. */
interface Relationship {
  readonly contact: string
  readonly type: string
  readonly entry: MonicaEntry
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
  /** Time zone of the person who exported it. */
  readonly timeZone: string
  /** YYYY-MM-DD */
  readonly exportedOn: string
  /** All values, as the report names them. */
  readonly sections: readonly Section[]
}

export function accountIn(file: ExportedObject): MonicaAccount {
  const { account, exported_by, export_date } = file
  const { data, properties, instance, ...others } = objectIn(account)
  const groups = groupsIn(jsonList(data))
  const entries = (type: string) => (groups.get(type) ?? []).map(monicaEntryOf)
  const contacts = entries('contact')
  const users = entries('user')
  const user = users.find(({ uuid }) => uuid === peekText(exported_by)) ?? users[0]
  return {
    contacts,
    names: new Map(contacts.map((contact) => [contact.uuid, nameOf(contact)])),
    activities: byUuid(entries('activity')),
    photos: byUuid(entries('photo')),
    relationships: relationshipsOf(entries('relationship')),
    types: byUuid(listsIn(instance).flatMap(([, values]) => values.map(monicaEntryOf))),
    timeZone: canonicalTimeZone(peekText(user?.properties['timezone'])) ?? 'UTC',
    exportedOn: jsonDay(peekText(export_date)) ?? LATEST_DAY,
    sections: [
      ...[...reportedGroups(jsonList(data))].map(([name, records]) => ({
        name: name === 'contact' ? name : `account.${name}`,
        records,
        isOfPeople: name === 'contact',
      })),
      ...[objectIn(properties), objectIn(instance), others, file].flatMap((part) =>
        sectionsBeside(part, HEADER).map(({ name, records }) => ({
          name,
          records: records.map(reportedValue),
        })),
      ),
    ],
  }
}

/** What an export says about itself. */
const HEADER = ['version', 'app_version', 'export_date', 'url', 'exported_by', 'account']

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
  const name = [first_name, last_name].map(peekText).filter((part) => part !== '')
  return name.length > 0 ? name.join(' ') : peekText(nickname)
}

/**
 * The names of the columns mislead: on the page of `contact_is`, Monica shows `of_contact` under the heading of the type. Its
 * form asks there what the other person is. Sources in Monica 4.1: `Contact::relationships` (app/Models/Contact/Contact.php),
 * resources/views/people/relationship/_relationship.blade.php. Most are in the file twice, once for each of the two people.
 */
function relationshipsOf(entries: readonly MonicaEntry[]): MonicaAccount['relationships'] {
  const all = entries.map((entry) => ({
    owner: peekText(entry.properties['contact_is']),
    contact: peekText(entry.properties['of_contact']),
    type: peekText(entry.properties['type']),
    entry,
  }))
  const others = all.filter(({ owner, contact }) => owner !== contact)
  return Map.groupBy(others, ({ owner }) => owner)
}
