/** A connection is one person in a member's network: the stored row, the domain object and their fields. */

import { asProperties } from '../../db/statement.ts'
import { formatPublicId, parsePublicId, publicIdPattern } from '../../base/public-id.ts'
import { NO_DETAILS, type DetailField, type Details } from '../../contact-files/contact/details.ts'
import type { LoggedField } from '../../records/logged-state.ts'
import type { ValueSource } from '../../contact-files/contact/contact.ts'
import type { PersonFields } from '../../identity/match-person.ts'

/** Where a value came from. An import never overwrites what a member or their agent typed. */
export type Source = ValueSource

export const TEXT_FIELDS = [
  'name',
  'givenName',
  'familyName',
  'company',
  'title',
  'location',
  'profileUrl',
  'birthday',
  'connectedOn',
] as const
/** Fields with several values, preferred first. */
export const LIST_FIELDS = ['emails', 'phones', 'links'] as const

export type TextField = (typeof TEXT_FIELDS)[number]
export type ListField = (typeof LIST_FIELDS)[number]
/** Field names in tools and in the activity log. */
export const FIELD_NAMES = {
  name: 'name',
  givenName: 'given_name',
  familyName: 'family_name',
  company: 'company',
  title: 'title',
  location: 'location',
  profileUrl: 'profile_url',
  birthday: 'birthday',
  connectedOn: 'connected_on',
  emails: 'emails',
  phones: 'phones',
  links: 'links',
} as const satisfies Record<TextField | ListField, string>

/** Fields that record their own source. Tags do too, so that imports do not add back a removed tag. */
export type SourcedField = TextField | ListField | DetailField | 'tags'

/** The entry of a field for the time at which its value was set. */
export type FieldTime = `@${SourcedField}`

/**
 * Sources by field, and under `@field` when the value was set, in milliseconds. A value that is as old as the connection
 * has no time.
 */
export type FieldSources = Readonly<
  Partial<Record<SourcedField, Source>> & Partial<Record<FieldTime, number>>
>

/** New sources, while they are collected. */
export type NewFieldSources = { -readonly [Key in keyof FieldSources]: FieldSources[Key] }

export interface Connection extends PersonFields {
  readonly connectionId: number
  readonly details: Details
  /** The source of the connection and of every field not listed in `fieldSources`. */
  readonly source: Source
  readonly fieldSources: FieldSources
  /** The last import that changed it. */
  readonly importJobId: number | null
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly deletedAt: number | null
  /** For a deleted connection: the connection it was merged into, or `UNDONE`. */
  readonly mergedInto: number | null
}

/** Everything except values and source: what Weft itself records about a connection. */
type ConnectionState = Omit<Connection, keyof typeof NO_VALUES | 'name' | 'source'>

/** The state of a connection that has not been stored yet. Storing it assigns its ID. */
export function newState(now: number, importJobId: number | null = null): ConnectionState {
  return {
    connectionId: 0,
    fieldSources: {},
    importJobId,
    version: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    mergedInto: null,
  }
}

export const NO_VALUES = {
  givenName: null,
  familyName: null,
  company: null,
  title: null,
  location: null,
  emails: [],
  phones: [],
  profileUrl: null,
  links: [],
  birthday: null,
  connectedOn: null,
  details: NO_DETAILS,
} as const satisfies Partial<Connection>

/**
 * The value of `mergedInto` for a connection whose creation was undone, and the connection of such a note. Imports do
 * not match it.
 */
export const UNDONE = 0

/** A connection as stored: its lists and objects are JSON. */
export type ConnectionRow = Omit<Connection, JsonField> & Readonly<Record<JsonField, string>>

type JsonField = 'emails' | 'phones' | 'links' | 'details' | 'fieldSources'

/** The columns of `connections c` for a `ConnectionRow`. */
export const CONNECTION_COLUMNS = asProperties(
  `c.connection_id, c.name, c.given_name, c.family_name, c.company, c.title, c.location, c.emails, c.phones,
   c.profile_url, c.links, c.birthday, c.connected_on, c.details, c.source, c.field_sources, c.import_job_id,
   c.version, c.created_at, c.updated_at, c.deleted_at, c.merged_into`,
)

/** A stored row as a connection. */
export function connectionOf(row: ConnectionRow): Connection {
  return {
    ...row,
    emails: storedList(row.emails),
    phones: storedList(row.phones),
    links: storedList(row.links),
    details: storedDetails(row.details),
    fieldSources:
      row.fieldSources === '{}' ? NO_SOURCES : (JSON.parse(row.fieldSources) as FieldSources),
  }
}

/** The fields of a connection that lists show. */
export type Listed = Pick<
  Connection,
  | 'connectionId'
  | 'name'
  | 'title'
  | 'company'
  | 'location'
  | 'emails'
  | 'profileUrl'
  | 'connectedOn'
> & {
  /** The ID of the photo. */
  readonly photo: string | null
}

export type ListedRow = Omit<Listed, 'emails'> & Pick<ConnectionRow, 'emails'>

/** The columns of `connections c` for a `ListedRow`. */
export const LISTED_COLUMNS = asProperties(
  'c.connection_id, c.name, c.title, c.company, c.location, c.emails, c.profile_url, c.connected_on, c.photo',
)

/** The row of a list as a connection of that list. */
export function toListed<Row extends ListedRow>(row: Row): Omit<Row, 'emails'> & Listed {
  return { ...row, emails: storedList(row.emails) }
}

/** A whole connection as one of a list. */
export function asListed(connection: Connection): Connection & Listed {
  return { ...connection, photo: connection.details.photo ?? null }
}

/** The source of a field's current value. */
export function sourceOf(connection: Connection, field: SourcedField): Source {
  return connection.fieldSources[field] ?? connection.source
}

const PREFIX = 'c'

export const CONNECTION_ID_PATTERN = publicIdPattern(PREFIX)

/** The numbers of people. */
export function idsOf(people: readonly { readonly connectionId: number }[]): number[] {
  return people.map(({ connectionId }) => connectionId)
}

/** Such as `c_12`. */
export function publicConnectionId(connectionId: number): `c_${number}` {
  return formatPublicId(PREFIX, connectionId)
}

/** The connection's number, or undefined if the text is not a connection ID. */
export function readConnectionId(publicId: string): number | undefined {
  return parsePublicId(PREFIX, publicId)
}

/** The connection of a row, in the activity log. */
export function loggedPerson<P extends string>(
  property: P,
): LoggedField<Readonly<Record<P, number | null>>> {
  return {
    write: ({ [property]: id }) => (id === null ? null : publicConnectionId(id)),
    // Safe: as written above.
    read: (id) =>
      ({ [property]: id === null ? null : (readConnectionId(id as string) ?? 0) }) as Record<
        P,
        number | null
      >,
  }
}

const NO_SOURCES = Object.freeze({})

/** Details as stored. */
export function storedDetails(json: string): Details {
  return json === '{}' ? NO_DETAILS : (JSON.parse(json) as Details)
}

/** A list of texts as stored. */
export function storedList(json: string): readonly string[] {
  return json === '[]' ? NONE : (JSON.parse(json) as string[])
}

const NONE: readonly string[] = Object.freeze([])
