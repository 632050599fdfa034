// Where the properties of a card go, for the reader and for reports.

import { DATE_PROPERTIES } from './vcard-dates.ts'
import { HANDLE_PROPERTIES, LINK_PROPERTIES } from './vcard-links.ts'
import { DEPARTMENT, ORGANIZATIONS } from './vcard-organizations.ts'
import { RELATION_PROPERTIES } from './vcard-relations.ts'
import type { Properties } from './vcard-property.ts'
import { MAX_COLUMN_NAME_LENGTH, MAX_COLUMNS, type FileColumn } from '../columns/file-columns.ts'

type Target = Pick<FileColumn, 'becomes' | 'label'>

/** The properties that fields read. A later entry replaces an earlier one. */
const FIELDS: ReadonlyMap<string, Target> = new Map<string, Target>([
  ...LINK_PROPERTIES.map((name): [string, Target] => [name, { becomes: 'url' }]),
  ...[...HANDLE_PROPERTIES.keys()].map((name): [string, Target] => [name, { becomes: 'handle' }]),
  ...DATE_PROPERTIES.map(([name, label]): [string, Target] => [name, { becomes: 'date', label }]),
  ...RELATION_PROPERTIES.map(([name, label]): [string, Target] => [
    name,
    { becomes: 'relation', ...(label !== '' && { label }) },
  ]),
  ...ORGANIZATIONS.map((name): [string, Target] => [name, { becomes: 'company' }]),
  [DEPARTMENT, { becomes: 'department' }],
  ['N', { becomes: 'name' }],
  ['FN', { becomes: 'name' }],
  ['NICKNAME', { becomes: 'nickname' }],
  ['TITLE', { becomes: 'title' }],
  ['ROLE', { becomes: 'title' }],
  ['EMAIL', { becomes: 'email' }],
  ['TEL', { becomes: 'phone' }],
  ['ADR', { becomes: 'address' }],
  ['LABEL', { becomes: 'address' }],
  ['X-SAMSUNGADR', { becomes: 'address' }],
  ['BDAY', { becomes: 'birthday' }],
  ['NOTE', { becomes: 'note' }],
  ['CATEGORIES', { becomes: 'tags' }],
  ['X-GROUP-NAME', { becomes: 'tags' }],
  ['X-PHONETIC-FIRST-NAME', { becomes: 'phonetic_given_name' }],
  ['X-PHONETIC-LAST-NAME', { becomes: 'phonetic_family_name' }],
  ['PRONOUNS', { becomes: 'pronouns' }],
  ['X-PRONOUNS', { becomes: 'pronouns' }],
])

/** Properties about the card and the program that wrote it, not about the person. */
const BOOKKEEPING =
  /^(?:(?:VERSION|PRODID|REV|UID|KIND|SOURCE|PROFILE|MAILER|CLASS|SORT-STRING|CLIENTPIDMAP|XML|CREATED|BEGIN|END|AGENT|NAME|X-EVOLUTION-FILE-AS|X-PHOTOSTATE|X-CUSTOM-RINGTONE)$|X-AB(?!RELATED)|X-ADDRESSBOOKSERVER-|X-IMAGE|X-SHARED-PHOTO|X-APPLE-|X-EVOLUTION-WEBDAV|X-MS-OL-|X-MS-IMADDRESS-|X-KADDRESSBOOK-.*FORMATTED|X-PM-|X-WEFT-)/

/** Whether no field reads a property and it says something about the person: it becomes a custom field. */
export function isOther(name: string): boolean {
  return !FIELDS.has(name) && !BOOKKEEPING.test(name)
}

function targetOf(name: string, properties: Properties): Target {
  if (name === 'ROLE' && properties.has('TITLE')) return { becomes: 'custom' }
  return FIELDS.get(name) ?? { becomes: isOther(name) ? 'custom' : 'ignore' }
}

/** Counts the cards with each property. */
export class CardColumns {
  readonly #columns = new Map<string, FileColumn & { filled: number }>()

  /** In the order in which the cards first have them. */
  get(): readonly FileColumn[] {
    return [...this.#columns.values()]
  }

  add(properties: Properties): void {
    for (const name of properties.keys()) {
      if (PARTS_OF_OTHERS.test(name)) continue
      const target = targetOf(name, properties)
      const key = `${name} ${target.becomes}`
      const column = this.#columns.get(key)
      if (column) column.filled += 1
      else if (this.#columns.size < MAX_COLUMNS)
        this.#columns.set(key, {
          name: name.slice(0, MAX_COLUMN_NAME_LENGTH),
          filled: 1,
          ...target,
        })
    }
  }
}

/** The syntax of the card, labels of other properties, and what Weft's own cards add to fields. */
const PARTS_OF_OTHERS = /^(?:BEGIN|END|VERSION|X-ABLABEL|X-WEFT-.*)$/
