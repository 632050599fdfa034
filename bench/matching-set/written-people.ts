/** Invented people whose names are written given/family. */

import { NO_DETAILS } from '../../src/contact-files/contact/details.ts'
import { ascii, record } from './records.ts'
import type { Matchable } from '../../src/identity/match-person.ts'

export type Values = Omit<Partial<Parameters<typeof record>[0]>, 'name'>

export function person(written: string, values: Values): Matchable {
  const [givenName = '', familyName = ''] = written.split('/')
  const name = isHan(written) ? `${familyName}${givenName}` : `${givenName} ${familyName}`.trim()
  return record({
    name,
    givenName: givenName || null,
    familyName: familyName || null,
    details: NO_DETAILS,
    ...values,
  })
}

function isHan(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hangul}]/u.test(text)
}

/** In the style of `given.family@host`. */
export function email(written: string, host: string, more = ''): string {
  return `${ascii(written.replace('/', ' ')).trim().replaceAll(/ +/g, '.')}${more}@${host}`
}

export function domain(company: string): string {
  return `${ascii(company).replaceAll(' ', '')}.example`
}

export function profile(slug: string): string {
  return `https://www.linkedin.com/in/${slug}`
}
