/**
 * Pairs of invented people with similar names, and pairs of records of one person whose names differ
 * (`lookalikes.txt`). All of them are held out.
 *
 * A line of the file is `different: given/family = given/family: overlap, overlap`, and is a pair for each overlap.
 */

import { readFileSync } from 'node:fs'
import { ascii } from './records.ts'
import { domain, email, person, profile, type Values } from './written-people.ts'
import type { LabelledPair } from './pairs.ts'

interface Names {
  readonly one: string
  readonly other: string
}

/** What the people of one culture have in common. */
interface Culture {
  readonly company: string
  readonly mail: string
  readonly dial: string
  readonly city: string
}

/** The values of both records. `at`, of two digits, differs in every line of a culture. */
type Overlap = (culture: Culture, names: Names, at: number) => readonly [Values, Values]

export function lookalikePairs(): readonly LabelledPair[] {
  const text = readFileSync(new URL('lookalikes.txt', import.meta.url), 'utf8')
  return text
    .split(/^# .*\n/m)
    .slice(1)
    .flatMap((block) => readBlock(block.trim().split('\n')))
}

/** What two people can share. */
const SHARED: Readonly<Record<string, Overlap>> = {
  // The private email of one of them.
  mail1: ({ mail, dial }, { one }, at) => [
    { emails: [emailOf(one, mail, at)] },
    { emails: [emailOf(one, mail, at)], phones: [`${dial} 41${at}`] },
  ],
  mail2: ({ mail, company }, { other }, at) => [
    { emails: [emailOf(other, mail, at)], company },
    { emails: [emailOf(other, mail, at)] },
  ],
  family: ({ mail, city }, { one }, at) => [
    { emails: [familyEmail(one, mail, at)], location: city },
    { emails: [familyEmail(one, mail, at)] },
  ],
  phone: ({ dial, city }, _names, at) => [
    { phones: [`${dial} 52${at}`], location: city },
    { phones: [`${dial} 52${at}`] },
  ],
  phones: ({ dial, mail }, { one, other }, at) => [
    { phones: [`${dial} 53${at}`], emails: [emailOf(one, mail, at, '1')] },
    { phones: [`${dial} 53${at}`], emails: [emailOf(other, mail, at, '2')] },
  ],
  home: ({ dial, mail }, { one }, at) => [
    { phones: [`${dial} 54${at}`], emails: [familyEmail(one, mail, at)] },
    { phones: [`${dial} 54${at}`], emails: [familyEmail(one, mail, at)] },
  ],
  twins: ({ dial, city }, _names, at) => [
    { phones: [`${dial} 55${at}`], location: city, birthday: '1991-06-17' },
    { phones: [`${dial} 55${at}`], location: city, birthday: '1991-06-17' },
  ],
  born: ({ mail }, { one }, at) => [
    { emails: [familyEmail(one, mail, at)], birthday: '1949-01-23' },
    { emails: [familyEmail(one, mail, at)], birthday: '1978-10-04' },
  ],
  // Colleagues.
  desk: ({ company, dial }, { one, other }, at) => [
    { company, phones: [`${dial} 56${at}`], emails: [emailOf(one, domain(company), at, '1')] },
    { company, phones: [`${dial} 56${at}`], emails: [emailOf(other, domain(company), at, '2')] },
  ],
  board: ({ company, dial }, _names, at) => [
    { company, phones: [`${dial} 57${at}`] },
    { company, phones: [`${dial} 57${at}`] },
  ],
  office: ({ company }) => [
    { company, emails: [`office@${domain(company)}`] },
    { company, emails: [`office@${domain(company)}`] },
  ],
  handed: ({ company }, { other }, at) => [
    { company, title: 'Director', emails: [givenEmail(other, company, at)] },
    { company, title: 'Trainee', emails: [givenEmail(other, company, at)] },
  ],
  job: ({ company, city }) => [
    { company, title: 'Accountant', location: city },
    { company, title: 'Driver' },
  ],
  twoPhones: ({ company, dial, mail }, { one }, at) => [
    { company, phones: [`${dial} 58${at}`], emails: [emailOf(one, mail, at, '.home')] },
    { company, phones: [`${dial} 59${at}`] },
  ],
}

/** What two records of one person can share. */
const OWN: Readonly<Record<string, Overlap>> = {
  mail: ({ mail, company }, { one }, at) => [
    { emails: [emailOf(one, mail, at)], company },
    { emails: [emailOf(one, mail, at)] },
  ],
  mobile: ({ dial, mail, city }, { other }, at) => [
    { phones: [`${dial} 61${at}`], location: city },
    { phones: [`${dial}61${at}`.replaceAll(' ', '')], emails: [emailOf(other, mail, at, '7')] },
  ],
  profile: ({ company }, { one }, at) => [
    { company, profileUrl: profile(slug(one, at)) },
    { company: 'Formerly Elsewhere', title: 'Partner', profileUrl: profile(slug(one, at)) },
  ],
  work: ({ company }, { one }, at) => [
    { company, title: 'Planner', emails: [emailOf(one, domain(company), at)] },
    { company: `${company} Ltd.`, emails: [emailOf(one, domain(company), at)] },
  ],
  both: ({ mail, dial }, { one }, at) => [
    { emails: [emailOf(one, mail, at)], phones: [`${dial} 62${at}`] },
    { emails: [emailOf(one, mail, at)], phones: [`${dial} 62${at}`] },
  ],
  firm: ({ company, city, mail }, { one, other }, at) => [
    { company, location: city, profileUrl: profile(slug(one, at)) },
    { company, location: city, emails: [emailOf(other, mail, at)] },
  ],
}

function readBlock(lines: readonly string[]): LabelledPair[] {
  const field = (name: string) =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? ''
  const culture = {
    company: field('company'),
    mail: field('mail'),
    dial: field('dial'),
    city: field('city'),
  }
  return lines.flatMap((line, row) => readLine(line, culture, 10 + row))
}

function readLine(line: string, culture: Culture, at: number): LabelledPair[] {
  const [, label, one = '', other = '', overlaps = ''] =
    /^(different|same): (.+) = (.+): (.+)$/.exec(line) ?? []
  if (label === undefined) return []
  const isSame = label === 'same'
  return overlaps.split(', ').map((name) => {
    const overlap = (isSame ? OWN : SHARED)[name]
    if (overlap === undefined) throw new Error(`unknown overlap ${name}: ${line}`)
    const [first, second] = overlap(culture, { one, other }, at)
    return {
      category: `lookalikes: ${isSame ? 'same, ' : ''}${name}`,
      isSame,
      one: person(one, first),
      other: person(other, second),
    }
  })
}

function familyEmail(written: string, host: string, at: number): string {
  return emailOf(`family/${written.split('/')[1]?.split(' ')[0] ?? ''}`, host, at)
}

function givenEmail(written: string, company: string, at: number): string {
  return emailOf(written.split('/')[0] ?? '', domain(company), at)
}

/** A name without Latin letters gets a mailbox instead. */
function emailOf(written: string, host: string, at: number, more = ''): string {
  const isLatin = ascii(written.replace('/', ' ')).trim() !== ''
  return email(isLatin ? written : `box${letters(at)}`, host, more)
}

function slug(written: string, at: number): string {
  return `${emailOf(written, '', at).slice(0, -1).replaceAll('.', '-')}-${at}a7`
}

function letters(at: number): string {
  return String(at).replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))
}
