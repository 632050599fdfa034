/** What an export of Weft has besides people. */

import type { Cadence } from '../../dates/cadence.ts'
import type { ContactHistory } from './contact.ts'
import type { FieldDefinition } from './field-definition.ts'

export const SETTINGS_FILES = [
  'custom-fields.json',
  'tag-cadences.json',
  'saved-views.json',
  'to-dos.json',
  'profile.json',
] as const
export type SettingsFile = (typeof SETTINGS_FILES)[number]

/** Version of the archives that exports write. Version 1 had the relations of Monica backwards. */
export const ARCHIVE_VERSION = 2

/** The profile of the member who exported it. Texts are as the file has them. */
export interface ArchivedProfile {
  readonly username: string
  readonly email: string | null
  readonly joinedAt: string
  readonly isPublic: boolean
  /** By the names of the fields: `headline`, `skills`. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly photo?: Uint8Array
}

/** A file of the archive. `repeated`: its live records are in connections.json too. */
export interface ArchivedFile {
  readonly name: string
  readonly use: 'restored' | 'repeated' | 'not_restored'
}

export interface NetworkSettings {
  /** The version of the archive; 1 if it has none. */
  readonly version: number
  readonly files: readonly ArchivedFile[]
  readonly profile?: ArchivedProfile
  /** With their IDs in the network that was exported. */
  readonly fields: readonly (FieldDefinition & { readonly id?: string })[]
  readonly tagCadences: readonly (Cadence & {
    readonly tag: string
    /** YYYY-MM-DD */
    readonly setOn: string
  })[]
  readonly views: readonly {
    readonly name: string
    /** The query string of the list. */
    readonly query: string
  }[]
  /** Follow-ups without a person. */
  readonly toDos: ContactHistory['followUps']
}
