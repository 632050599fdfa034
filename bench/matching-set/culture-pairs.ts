/** Pairs of invented people of fourteen naming cultures (`cultures.txt`). All of them are held out. */

import { readFileSync } from 'node:fs'
import { domain, email, person, profile, type Values } from './written-people.ts'
import type { LabelledPair } from './pairs.ts'
import type { Matchable } from '../../src/identity/match-person.ts'

/** The names are written given/family. */
interface Culture {
  readonly man: string
  readonly wife: string
  readonly brother: string
  readonly sister: string
  /** Has the name of the man, with what tells them apart where the culture does. */
  readonly son: string
  /** Has the family name and the first initial of the man. */
  readonly colleague: string
  /** Two people who are not related to the man. */
  readonly others: readonly [string, string]
  /** A full name that thousands of people have. */
  readonly common: string
  readonly oneWord: string
  readonly company: string
  /** Another company with a similar name. */
  readonly similar: string
  readonly mail: string
  readonly dial: string
  readonly cities: readonly [string, string]
  /** Names of one person in two sources. */
  readonly variants: readonly (readonly [string, string])[]
  /** Names of two people that look alike. */
  readonly conflicts: readonly (readonly [string, string])[]
}

export function culturePairs(): readonly LabelledPair[] {
  return cultures().flatMap((culture) => samePeople(culture).concat(differentPeople(culture)))
}

/** How two records of one person overlap. Each pair of names gets three of them in turn. */
const OVERLAPS: readonly ((culture: Culture, at: number) => readonly [Values, Values])[] = [
  ({ company, mail }, at) => [
    { company, emails: [`private${at}.box@${mail}`] },
    { emails: [`private${at}.box@${mail}`] },
  ],
  ({ dial, company, mail }, at) => [
    { phones: [`${dial} 7${at}31`], emails: [`first${at}@${mail}`] },
    { phones: [`${dial}7${at}31`.replaceAll(' ', '')], company },
  ],
  ({ company, similar }, at) => [
    { company, title: 'Analyst', profileUrl: profile(`member-${at}x7`) },
    { company: similar, title: 'Manager', profileUrl: profile(`member-${at}x7`) },
  ],
  ({ company }, at) => [
    { company, emails: [`m${at}.surname@${domain(company)}`], title: 'Buyer' },
    { company: `${company} Ltd.`, emails: [`m${at}.surname@${domain(company)}`] },
  ],
  ({ company, cities, mail }, at) => [
    { company, location: cities[0], profileUrl: profile(`only-${at}`) },
    { company, location: cities[0], emails: [`only.private${at}@${mail}`] },
  ],
  ({ company, mail }, at) => [
    { company, profileUrl: profile(`long-name-${at}a81b2c`), emails: [`renamed.${at}@${mail}`] },
    { company, profileUrl: profile(`renamed${at}`), emails: [`renamed.${at}@${mail}`] },
  ],
  ({ company, similar, dial }, at) => [
    { company, emails: [`m.surname${at}@${domain(company)}`], phones: [`${dial} 6${at}42`] },
    {
      company: similar,
      emails: [`m.surname${at}@${domain(similar)}`],
      phones: [`${dial} 6${at}42`],
    },
  ],
  ({ company }, at) => [
    { company, emails: [`some.one.${at}@gmail.com`] },
    { emails: [`someone${at}+contacts@googlemail.com`] },
  ],
]

function samePeople(culture: Culture): LabelledPair[] {
  return culture.variants.flatMap(([one, other], row) =>
    [0, 3, 6].flatMap((step) => {
      const overlap = OVERLAPS[(row + step) % OVERLAPS.length]
      if (overlap === undefined) return []
      const [first, second] = overlap(culture, 10 + row)
      return pair('same', person(one, first), person(other, second))
    }),
  )
}

function differentPeople(culture: Culture): LabelledPair[] {
  return [...relatives(culture), ...sharers(culture), ...namesakes(culture), ...lookalikes(culture)]
}

/** People of one household or family company. */
function relatives(culture: Culture): LabelledPair[] {
  const { man, wife, brother, sister, son, company, mail, dial, cities } = culture
  const home = { emails: [`family@${mail}`], phones: [`${dial} 1188`] }
  const [location] = cities
  const firm = { company, phones: [`${dial} 2200`], emails: [`info@${domain(company)}`] }
  return [
    pair('spouses', person(man, home), person(wife, home)),
    pair(
      'spouses',
      person(wife, { emails: [email(man, mail)], location }),
      person(man, { emails: [email(man, mail)], location }),
    ),
    pair(
      'spouses',
      person(man, { phones: home.phones, company }),
      person(wife, { ...home, birthday: '1971-03-09' }),
    ),
    pair(
      'father and son',
      person(man, { ...home, birthday: '1958-02-11' }),
      person(son, { ...home, birthday: '1987-08-30' }),
    ),
    pair(
      'father and son',
      person(man, home),
      person(son, { phones: home.phones, emails: [`junior@${mail}`] }),
    ),
    pair('father and son', person(man, firm), person(son, firm)),
    pair(
      'twins',
      person(man, { ...home, birthday: '1980-05-05' }),
      person(brother, { ...home, birthday: '1980-05-05' }),
    ),
    pair(
      'twins',
      person(sister, { birthday: '1980-05-05', location }),
      person(brother, { birthday: '1980-05-05', location }),
    ),
    pair('siblings at the family company', person(brother, firm), person(sister, firm)),
    pair(
      'siblings at the family company',
      person(man, { ...firm, title: 'Owner' }),
      person(brother, { ...firm, title: 'Owner' }),
    ),
    pair(
      'parent with the address of a child',
      person(sister, { emails: [email(sister, mail)] }),
      person(wife, { emails: [email(sister, mail)], phones: home.phones }),
    ),
  ]
}

/** People with the same address, number or profile. */
function sharers({
  man,
  others,
  colleague,
  oneWord,
  company,
  similar,
  mail,
  dial,
}: Culture): LabelledPair[] {
  const [one, other] = others
  const at = domain(company)
  const desk = {
    company,
    title: 'Assistant',
    emails: [`assistant@${at}`],
    phones: [`${dial} 2210`],
  }
  const board = { company, phones: [`${dial} 2200`] }
  return [
    pair(
      'shared mailbox',
      person(one, { company, emails: [`sales@${at}`] }),
      person(other, { company, emails: [`sales@${at}`] }),
    ),
    pair(
      'shared mailbox',
      person(man, { company, emails: [`team@${at}`, email(man, at)] }),
      person(colleague, { company, emails: [`team@${at}`] }),
    ),
    pair('handed-on address', person(one, desk), person(other, desk)),
    pair(
      'handed-on address',
      person(man, { company, emails: [email(man, at)] }),
      person(one, { company, emails: [email(man, at)] }),
    ),
    pair(
      'handed-on phone',
      person(other, { company, phones: [`${dial} 9901`] }),
      person(man, { company: similar, phones: [`${dial} 9901`] }),
    ),
    pair('switchboard', person(one, board), person(other, board)),
    pair(
      'switchboard',
      person(man, { ...board, emails: [email(man, at)] }),
      person(colleague, { ...board, emails: [email(colleague, at)] }),
    ),
    pair(
      'recycled profile',
      person(one, { company, profileUrl: profile('top-seller') }),
      person(other, { company: similar, profileUrl: profile('top-seller') }),
    ),
    pair(
      'address of the boss',
      person(man, { company, emails: [email(man, at)] }),
      person(other, {
        company,
        title: 'Executive Assistant',
        emails: [`pa@${at}`, email(man, at)],
      }),
    ),
    pair(
      'one word',
      person(`${oneWord}/`, { emails: [`one@${mail}`], company }),
      person(`${oneWord}/`, { emails: [`two@${mail}`], company: similar }),
    ),
    pair(
      'one word',
      person(`${oneWord}/`, { phones: [`${dial} 3301`] }),
      person(`${oneWord}/`, { phones: [`${dial} 3302`] }),
    ),
    pair(
      'one word',
      person(`${oneWord}/`, board),
      person(oneWord.length > 4 ? man : colleague, board),
    ),
  ]
}

/** People with one full name. */
function namesakes({ man, common, company, similar, mail, dial, cities }: Culture): LabelledPair[] {
  const at = domain(company)
  const board = { company, phones: [`${dial} 2200`] }
  const [one, other] = cities
  return [
    pair(
      'namesakes at one company',
      person(man, { company, emails: [email(man, at)] }),
      person(man, { company, emails: [email(man, at, '2')] }),
    ),
    pair(
      'namesakes at one company',
      person(common, { ...board, emails: [email(common, at)] }),
      person(common, { ...board, emails: [email(common, at, '.it')] }),
    ),
    pair(
      'namesakes at one company',
      person(man, { company, profileUrl: profile('name-1a2b3c') }),
      person(man, { company, profileUrl: profile('name-9z8y7x') }),
    ),
    pair(
      'namesakes at one company',
      person(common, { company, location: one, title: 'Nurse' }),
      person(common, { company, location: other, title: 'Counsel', phones: [`${dial} 4410`] }),
    ),
    pair(
      'namesakes at one company',
      person(middle(man, 'A.'), board),
      person(middle(man, 'B.'), board),
    ),
    pair(
      'similar companies',
      person(common, { company, emails: [email(common, at)] }),
      person(common, { company: similar }),
    ),
    pair(
      'similar companies',
      person(man, { company, emails: [email(man, at)], location: one }),
      person(man, { company: similar, emails: [email(man, domain(similar))], location: other }),
    ),
    pair(
      'common name',
      person(common, { location: one }),
      person(common, { location: one, company }),
    ),
    pair(
      'common name',
      person(common, { emails: [email(common, mail)] }),
      person(common, { emails: [email(common, 'gmail.com', '88')], phones: [`${dial} 4411`] }),
    ),
    pair(
      'common name',
      person(common, { birthday: '1980-01-01', location: one }),
      person(common, { birthday: '1980-01-01', location: other, company }),
    ),
  ]
}

function lookalikes({ conflicts, company, mail, dial, cities }: Culture): LabelledPair[] {
  const at = domain(company)
  const board = { company, phones: [`${dial} 2200`] }
  const home = { phones: [`${dial} 1188`], location: cities[0] }
  const overlaps: readonly (readonly [Values, Values])[] = [
    [
      { ...board, emails: [`first@${at}`] },
      { ...board, emails: [`second@${at}`] },
    ],
    [
      { ...home, emails: [`first@${mail}`] },
      { ...home, emails: [`second@${mail}`] },
    ],
    [
      { company, emails: [`office@${at}`] },
      { company, emails: [`office@${at}`] },
    ],
    [
      { company, title: 'Teacher' },
      { company, emails: [`second@${at}`] },
    ],
  ]
  return conflicts.flatMap(([one, other], row) =>
    [0, 1].flatMap((step) => {
      const values = overlaps[(row + step) % overlaps.length]
      if (values === undefined || (one === other && step === 1)) return []
      return pair('lookalike names', person(one, values[0]), person(other, values[1]))
    }),
  )
}

function pair(category: string, one: Matchable, other: Matchable): LabelledPair {
  return { category: `cultures: ${category}`, isSame: category === 'same', one, other }
}

function middle(written: string, initial: string): string {
  return written.replace('/', ` ${initial}/`)
}

function cultures(): Culture[] {
  const text = readFileSync(new URL('cultures.txt', import.meta.url), 'utf8')
  return text
    .split(/^# .*\n/m)
    .slice(1)
    .map(readCulture)
}

/** One line per field: `name: value`, lists with `;` and names of one pair with `=`. */
function readCulture(text: string): Culture {
  const fields = new Map(
    text
      .trim()
      .split('\n')
      .map((line) => {
        const [field = '', ...value] = line.split(': ')
        return [field, value.join(': ')]
      }),
  )
  const one = (field: string) => fields.get(field) ?? ''
  const two = (value: string, mark: string): [string, string] => {
    const [first = '', second = ''] = value.split(mark)
    return [first, second]
  }
  const pairs = (field: string) =>
    one(field)
      .split('; ')
      .map((each) => two(each, ' = '))
  return {
    man: one('man'),
    wife: one('wife'),
    brother: one('brother'),
    sister: one('sister'),
    son: one('son'),
    colleague: one('colleague'),
    others: two(one('others'), '; '),
    common: one('common'),
    oneWord: one('oneWord'),
    company: one('company'),
    similar: one('similar'),
    mail: one('mail'),
    dial: one('dial'),
    cities: two(one('cities'), '; '),
    variants: pairs('variants'),
    conflicts: pairs('conflicts'),
  }
}
