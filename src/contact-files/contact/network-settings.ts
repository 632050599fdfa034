/** What an export of Weft has besides people. */

import type { ContactHistory } from './contact.ts'
import type { FieldDefinition } from './field-definition.ts'

export const SETTINGS_FILES = [
  'custom-fields.json',
  'tag-cadences.json',
  'saved-views.json',
  'to-dos.json',
] as const
export type SettingsFile = (typeof SETTINGS_FILES)[number]

export interface NetworkSettings {
  /** With their IDs in the network that was exported. */
  readonly fields: readonly (FieldDefinition & { readonly id?: string })[]
  readonly tagCadences: readonly {
    readonly tag: string
    readonly every: number
    readonly unit: 'day' | 'week' | 'month'
    /** YYYY-MM-DD */
    readonly setOn: string
  }[]
  readonly views: readonly {
    readonly name: string
    /** The query string of the list. */
    readonly query: string
  }[]
  /** Follow-ups without a person. */
  readonly toDos: ContactHistory['followUps']
}
