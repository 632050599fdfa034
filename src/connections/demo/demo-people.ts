/** The demo account's network: two hundred invented people at invented companies. */

import { readDataLines } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'
import { readPhoto, type Photo } from '../../contact-files/contact/photo.ts'
import type { CustomText, Details } from '../../contact-files/contact/details.ts'
import type { FieldDefinition } from '../../contact-files/contact/field-definition.ts'

export interface DemoPerson {
  readonly name: string
  readonly givenName: string
  readonly familyName: string
  readonly company: string | null
  readonly title: string | null
  readonly location: string
  readonly emails: readonly string[]
  /** From ranges that regulators reserve for fiction. */
  readonly phones: readonly string[]
  readonly profileUrl: string | null
  /** YYYY-MM-DD */
  readonly connectedOn: string
  readonly tags: readonly string[]
  readonly notes: readonly { readonly on: string; readonly text: string }[]
  /** YYYY-MM-DD or --MM-DD; null for most people. */
  readonly birthday: string | null
  /** Without custom fields, which have their names in `custom`. */
  readonly details: Details
  readonly custom: readonly CustomText[]
  /** YYYY-MM-DD; null for most people. */
  readonly calledOn: string | null
}

/** The custom fields of the demo account. */
export const DEMO_FIELDS: readonly FieldDefinition[] = [
  { name: 'Working together', kind: 'choice', choices: ['An idea', 'In talks', 'On a project'] },
  { name: 'First met', kind: 'date', choices: [] },
  { name: 'Projects so far', kind: 'number', choices: [] },
]

/** One in each line of the file, which a test checks. */
export const demoPeople = lazy(() =>
  readDataLines(new URL('data/people.jsonl', import.meta.url)).map(
    (line) => JSON.parse(line) as DemoPerson,
  ),
)

/** The drawn faces of some of them, by their place in `demoPeople`. */
export const demoFaces = lazy(
  (): ReadonlyMap<number, Photo> =>
    new Map(
      readDataLines(new URL('data/faces.txt', import.meta.url)).flatMap((line) => {
        const [number = '', image = ''] = line.split(' ')
        const photo = readPhoto(Buffer.from(image, 'base64'))
        return 'refused' in photo ? [] : [[Number(number) - 1, photo]]
      }),
    ),
)
