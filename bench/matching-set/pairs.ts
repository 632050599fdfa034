/** Labeled pairs of records: generated from invented people by rules, and hand-written (`hard-cases.ts`, `cultures.txt`, `lookalikes.txt`,
 * `everyday.txt`, `household.txt`, `acquaintances.txt`). */

import { culturePairs } from './culture-pairs.ts'
import { acquaintancePairs, everydayPairs } from './everyday-pairs.ts'
import { HARD_CASES } from './hard-cases.ts'
import { lookalikePairs } from './lookalike-pairs.ts'
import {
  addressBookRecord,
  ascii,
  employed,
  networkRecord,
  personOf,
  phoneOf,
  randomOf,
  record,
  type Part,
  type Person,
  type Random,
} from './records.ts'
import type { Matchable } from '../../src/identity/match-person.ts'

export interface LabelledPair {
  readonly category: string
  readonly isSame: boolean
  readonly one: Matchable
  readonly other: Matchable
}

/** Pairs per rule and part. */
const PAIRS_PER_RULE = 50

type Rule = (random: Random, part: Part) => readonly [Matchable, Matchable]

/** Two records of one person. */
const SAME: Readonly<Record<string, Rule>> = {
  'new job, same profile': (random, part) => {
    const person = personOf(random, part)
    const later = employed(random, part, person)
    return [networkRecord(person), networkRecord(later, { profileUrl: urlOf(person) })]
  },
  'new job, same private email': (random, part) => {
    const person = personOf(random, part)
    const later = employed(random, part, person)
    const emails = [person.privateEmail]
    return [
      networkRecord(person, { emails, profileUrl: null }),
      addressBookRecord(later, {
        emails,
        company: later.company,
        phones: maybe(random, later.mobile),
      }),
    ]
  },
  'new job, same phone': (random, part) => {
    const person = personOf(random, part)
    const later = employed(random, part, person)
    return [
      addressBookRecord(person, { company: person.company, emails: [] }),
      addressBookRecord(later, {
        company: later.company,
        phones: [otherSpelling(person.mobile)],
        emails: maybe(random, later.privateEmail),
      }),
    ]
  },
  'married name': (random, part) => {
    const person = personOf(random, part, 'female')
    const family = personOf(random, part).family
    const married = random.pick([
      family,
      `${person.family}-${family}`,
      `${family} (geb. ${person.family})`,
    ])
    const name = `${person.given} ${married}`
    const changes = { name, familyName: married }
    return random.chance(0.5)
      ? [
          networkRecord(person),
          networkRecord(person, { ...changes, company: personOf(random, part).company }),
        ]
      : [
          addressBookRecord(person),
          addressBookRecord(person, { ...changes, phones: maybe(random, person.mobile) }),
        ]
  },
  typo: (random, part) => {
    const person = longNamed(random, part)
    const family = misspelled(random, person.family)
    const changes = { name: `${person.given} ${family}`, familyName: family }
    return random.chance(0.5)
      ? [addressBookRecord(person), addressBookRecord(person, { ...changes, emails: [] })]
      : [
          networkRecord(person, { emails: [person.workEmail] }),
          addressBookRecord(person, { ...changes, emails: [person.workEmail], phones: [] }),
        ]
  },
  'typo in the given name': (random, part) => {
    const person = longNamed(random, part)
    const given = person.given.length < 6 ? `${person.given}h` : misspelled(random, person.given)
    const name = { name: `${given} ${person.family}`, givenName: given }
    return random.chance(0.5)
      ? [addressBookRecord(person), addressBookRecord(person, { ...name, phones: [] })]
      : [networkRecord(person), addressBookRecord(person, { ...name, company: person.company })]
  },
  'short form that no list has': (random, part) => {
    const person = personOf(random, part)
    const given = `${person.given.slice(0, 3)}ix`
    const name = { name: `${given} ${person.family}`, givenName: given }
    return random.chance(0.5)
      ? [addressBookRecord(person), addressBookRecord(person, { ...name, phones: [] })]
      : [networkRecord(person), networkRecord(person, name)]
  },
  nickname: (random, part) => {
    const [full, nick] = random.pick(NICKNAMES)
    const person = employed(random, part, { given: full, family: personOf(random, part).family })
    const changes = { name: `${nick} ${person.family}`, givenName: nick }
    return random.chance(0.5)
      ? [
          networkRecord(person, { emails: [person.workEmail] }),
          addressBookRecord(person, { ...changes, emails: [person.workEmail] }),
        ]
      : [networkRecord(person), addressBookRecord(person, { ...changes, company: person.company })]
  },
  transliteration: (random, part) => {
    const [one, other] = random.pick(TRANSLITERATIONS)
    const [given = '', family = ''] = one.split(' ')
    const person = employed(random, part, { given, family })
    const name = {
      name: other,
      givenName: other.split(' ')[0] ?? '',
      familyName: other.split(' ')[1] ?? '',
    }
    return random.chance(0.5)
      ? [addressBookRecord(person), addressBookRecord(person, { ...name, emails: [] })]
      : [networkRecord(person), networkRecord(person, { ...name, profileUrl: null, title: null })]
  },
  'dots and tags in an address': (random, part) => {
    const person = personOf(random, part)
    const [local, digits] = [
      `${ascii(person.given)}.${ascii(person.family)}`,
      String(Math.floor(random.next() * 90 + 10)),
    ]
    const written = [
      `${local}${digits}@gmail.com`,
      `${local.replace('.', '')}${digits}+crm@googlemail.com`,
    ]
    return [
      networkRecord(person, { emails: [written[0] ?? ''] }),
      addressBookRecord(employed(random, part, person), { emails: [written[1] ?? ''] }),
    ]
  },
  'renamed profile': (random, part) => {
    const person = personOf(random, part)
    const slug = `${ascii(person.given)}-${ascii(person.family)}`
    return [
      networkRecord(person, { emails: maybe(random, person.privateEmail) }),
      networkRecord(person, {
        profileUrl: `https://www.linkedin.com/in/${slug}`,
        emails: [person.privateEmail],
      }),
    ]
  },
  initial: (random, part) => {
    const person = personOf(random, part)
    const name = `${person.given[0]}. ${person.family}`
    return random.chance(0.5)
      ? [
          networkRecord(person, { emails: [person.workEmail] }),
          record({ name, emails: [person.workEmail] }),
        ]
      : [networkRecord(person), record({ name, company: person.company, phones: [person.mobile] })]
  },
  'missing fields': (random, part) => {
    const person = personOf(random, part)
    const name = `${person.given} ${person.family}`
    return random.pick<readonly [Matchable, Matchable]>([
      [addressBookRecord(person), record({ name, phones: [otherSpelling(person.mobile)] })],
      [networkRecord(person), record({ name, company: `${person.company} Ltd.` })],
      [
        addressBookRecord(person),
        record({ name: person.privateEmail, emails: [person.privateEmail] }),
      ],
      [networkRecord(person), record({ name, location: `${person.city}, ${person.country}` })],
    ])
  },
  'other email': (random, part) => {
    const person = personOf(random, part)
    return random.chance(0.5)
      ? [
          networkRecord(person, { emails: [person.workEmail] }),
          addressBookRecord(person, { company: person.company }),
        ]
      : [addressBookRecord(person), addressBookRecord(person, { emails: [person.workEmail] })]
  },
  'order, titles and legal forms': (random, part) => {
    const person = personOf(random, part)
    const name = random.pick([
      `${person.family}, ${person.given}`,
      `Dr. ${person.given} ${person.family}`,
      `${person.given} ${person.family}, PhD`,
      `${person.given.toUpperCase()} ${person.family.toUpperCase()}`,
      `${ascii(person.given)} ${ascii(person.family)}`,
    ])
    const company = `${person.company}${random.pick([' GmbH', ', Inc.', ' S.A.', ' Ltd'])}`
    return [networkRecord(person), record({ name, company, phones: maybe(random, person.mobile) })]
  },
}

/** Records of two people who share something. */
const DIFFERENT: Readonly<Record<string, Rule>> = {
  'spouses with one email and phone': (random, part) => {
    const [one, other] = relatives(random, part, 'male', 'female')
    const shared = {
      emails: [`${random.pick(['the', ''])}${ascii(one.family)}s@gmail.com`],
      phones: [one.mobile],
    }
    return [addressBookRecord(one, shared), addressBookRecord(other, shared)]
  },
  'spouses with the email of one': (random, part) => {
    const [one, other] = relatives(random, part, 'male', 'female')
    return [
      addressBookRecord(one),
      addressBookRecord(other, { emails: [one.privateEmail], phones: maybe(random, one.mobile) }),
    ]
  },
  'shared mailbox of a role': (random, part) => {
    const [one, other] = colleagues(random, part)
    const emails = [
      `${random.pick(['info', 'sales', 'office', 'kontakt', 'vertrieb', 'biuro', 'contacto'])}@${one.domain}`,
    ]
    return [
      addressBookRecord(one, { company: one.company, emails }),
      addressBookRecord(other, { company: one.company, emails }),
    ]
  },
  'father and son, named Sr. and Jr.': (random, part) => {
    const father = personOf(random, part, 'male')
    const name = `${father.given} ${father.family}`
    return [
      addressBookRecord(father, {
        name: random.pick([name, `${name} Sr.`]),
        familyName: null,
        givenName: null,
      }),
      addressBookRecord(father, {
        name: `${name} ${random.pick(['Jr.', 'II', 'Junior'])}`,
        familyName: null,
        givenName: null,
        emails: maybe(random, father.privateEmail),
      }),
    ]
  },
  'father and son, by their dates': (random, part) => {
    const father = personOf(random, part, 'male')
    const son = employed(random, part, father)
    return [
      addressBookRecord(father, { birthday: '1951-04-12', location: father.city }),
      addressBookRecord(father, {
        birthday: '1984-11-30',
        location: father.city,
        emails: random.chance(0.3) ? [father.privateEmail] : [son.privateEmail],
      }),
    ]
  },
  'namesakes at one company, other emails': (random, part) => {
    const person = personOf(random, part)
    const [g, f] = [ascii(person.given), ascii(person.family)]
    return [
      networkRecord(person, { profileUrl: null, emails: [`${g}.${f}@${person.domain}`] }),
      addressBookRecord(employed(random, part, person), {
        company: person.company,
        emails: [`${g}.${f}2@${person.domain}`],
      }),
    ]
  },
  'namesakes at one company, other phones': (random, part) => {
    const person = personOf(random, part)
    const other = employed(random, part, person)
    return [
      addressBookRecord(person, { company: person.company, emails: [] }),
      addressBookRecord(other, {
        company: person.company,
        emails: maybe(random, other.privateEmail),
        title: other.title,
      }),
    ]
  },
  'namesakes at one company, other profiles': (random, part) => {
    const person = personOf(random, part)
    const other = employed(random, part, person)
    return [networkRecord(person), networkRecord(other, { company: person.company })]
  },
  'a handed-on address': (random, part) => {
    const one = personOf(random, part)
    const other = personOf(random, part)
    const [given, emails] = random.chance(0.5)
      ? [one.given, [`${ascii(one.given)}@${one.domain}`]]
      : [other.given === one.given ? 'Bo' : other.given, [`fellow2024@${one.domain}`]]
    if (given === one.given && other.family === one.family)
      return [networkRecord(one), networkRecord({ ...other, family: 'Quist' })]
    return [
      networkRecord(one, { emails, profileUrl: null }),
      addressBookRecord(other, {
        name: `${given} ${other.family}`,
        givenName: given,
        emails,
        company: one.company,
      }),
    ]
  },
  twins: (random, part) => {
    const [first = '', second = ''] = random.pick(TWINS)
    const family = personOf(random, part).family
    const one = employed(random, part, { given: first, family })
    const other = employed(random, part, { given: second, family })
    const shared = { birthday: one.birthday, phones: [one.mobile], location: one.city }
    return [addressBookRecord(one, shared), addressBookRecord(other, shared)]
  },
  'siblings with the phone of the family': (random, part) => {
    const [one, other] = relatives(random, part)
    return [
      addressBookRecord(one),
      addressBookRecord(other, { phones: [otherSpelling(one.mobile)] }),
    ]
  },
  'common names': (random, part) => {
    const [given, family] = random.pick(COMMON)
    const [one, other] = [
      employed(random, part, { given, family }),
      employed(random, part, { given, family }),
    ]
    return random.chance(0.5)
      ? [networkRecord(one), addressBookRecord(other)]
      : [
          networkRecord(one, { company: 'Huge Holdings', profileUrl: null }),
          record({
            name: `${given} ${family}`,
            company: 'Huge Holdings',
            title: `${other.title} II`,
          }),
        ]
  },
  'colleagues with one switchboard': (random, part) => {
    const [one, other] = colleagues(random, part)
    const phones = [phoneOf(random)]
    return [
      addressBookRecord(one, { company: one.company, phones }),
      addressBookRecord(other, { company: one.company, phones }),
    ]
  },
  'similar names at one company': (random, part) => {
    const [a = '', b = ''] = random.pick(SIMILAR)
    const one = employed(random, part, {
      given: a.split(' ')[0] ?? '',
      family: a.split(' ')[1] ?? '',
    })
    const other = {
      ...employed(random, part, { given: b.split(' ')[0] ?? '', family: b.split(' ')[1] ?? '' }),
      company: one.company,
    }
    return [
      networkRecord(one),
      networkRecord(other, { profileUrl: random.chance(0.5) ? null : urlOf(other) }),
    ]
  },
  'namesakes at two companies': (random, part) => {
    const one = personOf(random, part)
    const other = employed(random, part, one)
    return [networkRecord(one), networkRecord(other, { emails: maybe(random, other.workEmail) })]
  },
}

const NICKNAMES: readonly (readonly [string, string])[] = [
  ['Robert', 'Bob'],
  ['Elizabeth', 'Liz'],
  ['William', 'Bill'],
  ['Aleksandr', 'Sasha'],
  ['Katarzyna', 'Kasia'],
  ['Francisco', 'Paco'],
  ['Giuseppe', 'Beppe'],
  ['Johannes', 'Hannes'],
  ['Małgorzata', 'Gosia'],
  ['Margaret', 'Peggy'],
  ['Ekaterina', 'Katya'],
  ['Willem', 'Wim'],
  ['Dolores', 'Lola'],
  ['Guillaume', 'Guille'],
  ['José', 'Zé'],
  ['Anthony', 'Tony'],
  ['Charles', 'Chuck'],
  ['Edward', 'Ted'],
  ['Krzysztof', 'Krzysiek'],
  ['Maximilian', 'Max'],
]

const TRANSLITERATIONS: readonly (readonly [string, string])[] = [
  ['Jürgen Müller', 'Juergen Mueller'],
  ['Søren Østergaard', 'Soeren Oestergaard'],
  ['Юлия Соколова', 'Yulia Sokolova'],
  ['Сергей Щербаков', 'Sergei Shcherbakov'],
  ['Андрей Чайковский', 'Andrey Tchaikovsky'],
  ['Γιώργος Παπαδόπουλος', 'Giorgos Papadopoulos'],
  ['Łukasz Wójcik', 'Lukasz Wojcik'],
  ['Олена Шевченко', 'Olena Shevchenko'],
  ['Наталья Волкова', 'Nataliya Volkova'],
  ['Åsa Åkesson', 'Aasa Aakesson'],
  ['Дмитрий Морозов', 'Dmitrii Morozov'],
  ['Björn Weiß', 'Bjoern Weiss'],
  ['Ekaterina Zhukova', 'Екатерина Жукова'],
  ['Mikhail Lvov', 'Михаил Львов'],
  ['Özgür Çelik', 'Ozgur Celik'],
  ['Þóra Jónsdóttir', 'Thora Jonsdottir'],
]

const TWINS = [
  ['Daniel', 'Daniela'],
  ['Maria', 'Mario'],
  ['Erik', 'Erika'],
  ['Anna', 'Hanna'],
  ['Paul', 'Paula'],
  ['Lena', 'Lea'],
  ['Jan', 'Jana'],
  ['Tim', 'Tom'],
  ['Mia', 'Lia'],
  ['Robert', 'Rupert'],
] as const

const SIMILAR = [
  ['Anna Schmidt', 'Anna Schmitz'],
  ['Jan Novak', 'Jana Novak'],
  ['Peter Meyer', 'Petra Meyer'],
  ['Mark Hansen', 'Mark Jansen'],
  ['Daniel Brandt', 'Daniela Brandt'],
  ['Kim Larsen', 'Kim Carlsen'],
  ['Martin Weber', 'Martina Weber'],
  ['Karl Becker', 'Karla Becker'],
] as const

const COMMON = [
  ['Wei', 'Wang'],
  ['Min', 'Zhang'],
  ['John', 'Smith'],
  ['Maria', 'Garcia'],
  ['Anh', 'Nguyen'],
  ['Rahul', 'Sharma'],
  ['Mohammed', 'Khan'],
  ['José', 'Rodríguez'],
  ['Thomas', 'Müller'],
] as const

/** All pairs of a part: generated ones and every other hand-written one. */
export function pairsOf(part: Part): LabelledPair[] {
  const seed = part === 'tuning' ? 1 : 1_000_003
  const generated = [
    ...Object.entries(SAME).map(([category, rule]) => ({ category, rule, isSame: true })),
    ...Object.entries(DIFFERENT).map(([category, rule]) => ({ category, rule, isSame: false })),
  ].flatMap(({ category, rule, isSame }, index) => {
    const random = randomOf(seed + index * 7919)
    return Array.from({ length: PAIRS_PER_RULE }, (): LabelledPair => {
      const [one, other] = rule(random, part)
      return { category, isSame, one, other }
    })
  })
  const written = HARD_CASES.filter((_, index) => index % 2 === (part === 'tuning' ? 0 : 1))
  const cultures =
    part === 'heldOut' ? [...culturePairs(), ...lookalikePairs(), ...everydayPairs()] : []
  return [...generated, ...written, ...acquaintancePairs(part), ...cultures]
}

function urlOf({ slug }: Person): string {
  return `https://www.linkedin.com/in/${slug}`
}

function maybe(random: Random, value: string): string[] {
  return random.chance(0.5) ? [value] : []
}

/** The number as it is dialed inside the country. */
function otherSpelling(phone: string): string {
  return phone.replace('+49 ', '0').replaceAll(' ', '/')
}

function longNamed(random: Random, part: Part): Person {
  for (;;) {
    const person = personOf(random, part)
    if (person.family.length >= 6) return person
  }
}

/** With two neighbors swapped, or a letter left out, doubled or replaced, not at the beginning. */
function misspelled(random: Random, word: string): string {
  const at = 2 + Math.floor(random.next() * (word.length - 4))
  const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)]
  return random.pick([
    `${before}${after}`,
    `${before}${letter}${letter}${after}`,
    `${before}${letter === 'n' ? 'm' : 'n'}${after}`,
    `${before}${after.charAt(0)}${letter}${after.slice(1)}`,
  ])
}

function relatives(
  random: Random,
  part: Part,
  ...genders: readonly ('male' | 'female')[]
): readonly [Person, Person] {
  const one = personOf(random, part, genders[0])
  for (;;) {
    const { given } = personOf(random, part, genders[1])
    if (given !== one.given) return [one, employed(random, part, { given, family: one.family })]
  }
}

function colleagues(random: Random, part: Part): readonly [Person, Person] {
  const one = personOf(random, part)
  for (;;) {
    const other = personOf(random, part)
    if (other.given !== one.given && other.family !== one.family) return [one, other]
  }
}
