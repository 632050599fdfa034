// Details of the people in the demo network: invented, and the same at every start.

import { demoCompanies, type DemoPerson } from './people.ts'
import type { CustomText, Details, Organization } from '../../contact-files/contact/details.ts'
import type { FieldDefinition } from '../../contact-files/contact/field-definition.ts'

/** The custom fields of the demo account. */
export const DEMO_FIELDS: readonly FieldDefinition[] = [
  { name: 'Collaboration', kind: 'choice', choices: ['Idea', 'Talking', 'Working together'] },
  { name: 'First met', kind: 'date', choices: [] },
  { name: 'Shared projects', kind: 'number', choices: [] },
]

interface DemoDetails {
  /** YYYY-MM-DD or --MM-DD; null for most people. */
  readonly birthday: string | null
  /** Without custom fields, which have their names in `custom`. */
  readonly details: Details
  readonly custom: readonly CustomText[]
  /** YYYY-MM-DD; null for most people. */
  readonly calledOn: string | null
}

/** `index` is the position of the person in the network, from 0. */
export function demoDetails(person: DemoPerson, index: number): DemoDetails {
  const addresses = addressesOf(person, index)
  const organizations = positionsOf(person, index)
  return {
    birthday: index % 4 === 0 ? birthdayOf(index) : null,
    details: {
      ...(addresses.length > 0 && { addresses }),
      ...(organizations.length > 0 && { organizations }),
    },
    custom: customOf(person, index),
    calledOn: index % 10 === 0 ? dayIn('2026', index) : null,
  }
}

function birthdayOf(index: number): string {
  return dayIn(index % 8 === 0 ? String(1958 + ((index * 13) % 40)) : '-', index)
}

function dayIn(year: string, index: number): string {
  const month = String(((index * 7) % 9) + 1).padStart(2, '0')
  const day = String(((index * 11) % 28) + 1).padStart(2, '0')
  return `${year}-${month}-${day}`
}

/** For people with a private email address. */
function addressesOf({ emails, location }: DemoPerson, index: number) {
  const [city = '', country = ''] = location.split(', ')
  const hasHome = emails.some((email) => email.endsWith('@post.example.net'))
  if (!hasHome || country === '') return []
  return [{ label: 'home', street: `${index + 1} Example Street`, city, country }]
}

function positionsOf({ company, title, connectedOn }: DemoPerson, index: number): Organization[] {
  const year = Number(connectedOn.slice(0, 4))
  const former = demoCompanies()[(index * 17) % demoCompanies().length]?.name
  const current: Organization | undefined =
    company === null
      ? undefined
      : {
          name: company,
          ...(title !== null && { title }),
          from: String(year - (index % 3)),
          current: true,
        }
  const isFormer = index % 5 === 0 && former !== undefined && former !== company
  return [
    ...(current && index % 2 === 0 ? [current] : []),
    ...(isFormer
      ? [{ name: former, from: String(year - 6), until: String(year - 3), current: false }]
      : []),
  ]
}

function customOf({ connectedOn }: DemoPerson, index: number): CustomText[] {
  const choices = DEMO_FIELDS[0]?.choices ?? []
  return [
    ...(index % 6 === 0
      ? [{ field: 'Collaboration', value: choices[(index / 6) % choices.length] ?? '' }]
      : []),
    ...(index % 7 === 0 ? [{ field: 'First met', value: connectedOn }] : []),
    ...(index % 9 === 0 ? [{ field: 'Shared projects', value: String((index % 4) + 1) }] : []),
  ]
}
