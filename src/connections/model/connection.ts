/** A connection: one person in a member's network, as it is stored and as the rest of Weft knows it. */

import type { ImportFormat } from './contact.ts'

/** Where a value came from. What a member (or an agent for them) typed is never overwritten by an import. */
export type Source = 'typed' | ImportFormat

/** One value each. */
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
/** Several values each, the preferred first. */
export const LIST_FIELDS = ['emails', 'phones', 'links'] as const

/** As many e-mail addresses, phone numbers, links or tags as one connection holds. */
export const MAX_VALUES = 50

export type TextField = (typeof TEXT_FIELDS)[number]
export type ListField = (typeof LIST_FIELDS)[number]
/** How fields are named in tools and in what the activity keeps. */
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

/** What can have a source of its own; tags too, so that a tag taken off stays off. */
export type SourcedField = TextField | ListField | 'tags'

export interface Connection {
  readonly connectionId: number
  readonly name: string
  readonly givenName: string | null
  readonly familyName: string | null
  readonly company: string | null
  readonly title: string | null
  /** One line: city, region, country. */
  readonly location: string | null
  /** Lower-case. */
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  /** https://www.linkedin.com/in/… */
  readonly profileUrl: string | null
  readonly links: readonly string[]
  /** YYYY-MM-DD, or --MM-DD where the year is not known. */
  readonly birthday: string | null
  /** YYYY-MM-DD */
  readonly connectedOn: string | null
  /** What made it, and what set every field that `fieldSources` does not name. */
  readonly source: Source
  readonly fieldSources: Readonly<Partial<Record<SourcedField, Source>>>
  /** The import that touched it last. */
  readonly importJobId: number | null
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly deletedAt: number | null
  /** Of a deleted one: into which it was merged, or `UNMADE`. */
  readonly mergedInto: number | null
}

/**
 * In place of whom a connection was merged into, and of whom a note is about: undone, so that it is as if it had never
 * been there. Imports do not recognize it.
 */
export const UNDONE = 0

export interface ConnectionRow {
  readonly connection_id: number
  readonly name: string
  readonly given_name: string | null
  readonly family_name: string | null
  readonly company: string | null
  readonly title: string | null
  readonly location: string | null
  readonly emails: string
  readonly phones: string
  readonly profile_url: string | null
  readonly links: string
  readonly birthday: string | null
  readonly connected_on: string | null
  readonly source: Source
  readonly field_sources: string
  readonly import_job_id: number | null
  readonly version: number
  readonly created_at: number
  readonly updated_at: number
  readonly deleted_at: number | null
  readonly merged_into: number | null
}

/** The columns of `connections c` in the order of `ConnectionRow`. */
export const CONNECTION_COLUMNS = `c.connection_id, c.name, c.given_name, c.family_name, c.company, c.title, c.location,
  c.emails, c.phones, c.profile_url, c.links, c.birthday, c.connected_on, c.source, c.field_sources, c.import_job_id,
  c.version, c.created_at, c.updated_at, c.deleted_at, c.merged_into`

export function connectionOf(row: ConnectionRow): Connection {
  return {
    connectionId: row.connection_id,
    name: row.name,
    givenName: row.given_name,
    familyName: row.family_name,
    company: row.company,
    title: row.title,
    location: row.location,
    emails: list(row.emails),
    phones: list(row.phones),
    profileUrl: row.profile_url,
    links: list(row.links),
    birthday: row.birthday,
    connectedOn: row.connected_on,
    source: row.source,
    fieldSources:
      row.field_sources === '{}'
        ? NO_SOURCES
        : (JSON.parse(row.field_sources) as Connection['fieldSources']),
    importJobId: row.import_job_id,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at,
    mergedInto: row.merged_into,
  }
}

/** As much of a connection as a list shows. */
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
>

export type ListedRow = Pick<
  ConnectionRow,
  | 'connection_id'
  | 'name'
  | 'title'
  | 'company'
  | 'location'
  | 'emails'
  | 'profile_url'
  | 'connected_on'
>

/** The columns of `connections c` in the order of `ListedRow`. */
export const LISTED_COLUMNS =
  'c.connection_id, c.name, c.title, c.company, c.location, c.emails, c.profile_url, c.connected_on'

export function toListed(row: ListedRow): Listed {
  return {
    connectionId: row.connection_id,
    name: row.name,
    title: row.title,
    company: row.company,
    location: row.location,
    emails: list(row.emails),
    profileUrl: row.profile_url,
    connectedOn: row.connected_on,
  }
}

/** Where a field's present value came from. */
export function sourceOf(connection: Connection, field: SourcedField): Source {
  return connection.fieldSources[field] ?? connection.source
}

/** `c_` and its number within the member's network: short, because a model reads and repeats it. */
export function publicConnectionId(connectionId: number): string {
  return `c_${connectionId}`
}

/** The number in a public id, or undefined for a text that is none. */
export function readConnectionId(publicId: string): number | undefined {
  const digits = /^c_([1-9]\d{0,8})$/.exec(publicId)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

const NO_SOURCES = Object.freeze({})

function list(json: string): readonly string[] {
  return json === '[]' ? NONE : (JSON.parse(json) as string[])
}

const NONE: readonly string[] = Object.freeze([])
