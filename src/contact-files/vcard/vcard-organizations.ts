// The organizations of a card, with titles and departments.

import { ordered, rank, type Card } from './vcard-card.ts'
import { partsOf, textOf } from './vcard-property.ts'
import type { Organization } from '../contact/details.ts'

/** WhatsApp writes the name of a business apart. */
export const ORGANIZATIONS = ['ORG', 'X-WA-BIZ-NAME']

/** Roundcube writes the department apart. */
export const DEPARTMENT = 'X-DEPARTMENT'

/** In the order of the card. The titles belong to the organizations in the same order. */
export function organizationsOf({ properties, custom }: Card): readonly Organization[] {
  const names = ORGANIZATIONS.flatMap((name) =>
    ordered(properties, name, rank).map(({ value }) => partsOf(value, ';')),
  )
  const titles = ordered(properties, 'TITLE', rank).map(({ value }) => textOf(value))
  const roles = ordered(properties, 'ROLE', rank).map(({ value }) => textOf(value))
  if (titles.length === 0) titles.push(...roles)
  else
    custom.push(
      ...roles.filter((role) => !titles.includes(role)).map((value) => ({ field: 'ROLE', value })),
    )
  const departments = ordered(properties, DEPARTMENT, rank).map(({ value }) => textOf(value))
  if (names.length === 0 && departments.length > 0) names.push([''])
  return Array.from({ length: Math.max(names.length, titles.length) }, (_, at) => {
    const [name = '', ...units] = [...(names[at] ?? []), ...(at === 0 ? departments : [])].map(
      (part) => part.trim(),
    )
    const department = units.filter((unit) => unit !== '').join(', ')
    return { name, title: titles[at] ?? '', department, current: true }
  })
}

/** The first organization is the company and title; its entry only adds the department. */
export function positionWithDepartment(
  organization: Organization | undefined,
): readonly Organization[] {
  return organization === undefined || (organization.department ?? '') === '' ? [] : [organization]
}
