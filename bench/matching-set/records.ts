/** Invented people and their records in different sources. Every run creates the same ones. */

import { NO_VALUES } from '../../src/connections/model/connection.ts'
import type { Matchable } from '../../src/identity/match-person.ts'

export interface Random {
  /** 0 to 1. */
  next(): number
  pick<T>(values: readonly T[]): T
  chance(probability: number): boolean
}

/** The mulberry32 generator. */
export function randomOf(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    pick: <T>(values: readonly T[]) => {
      const value = values[Math.floor(next() * values.length)]
      if (value === undefined) throw new Error('nothing to pick from')
      return value
    },
    chance: (probability) => next() < probability,
  }
}

/** All facts about a person; a record has some of them. */
export interface Person {
  readonly given: string
  readonly family: string
  readonly company: string
  readonly domain: string
  readonly title: string
  readonly city: string
  readonly country: string
  readonly workEmail: string
  readonly privateEmail: string
  readonly mobile: string
  readonly birthday: string
  readonly slug: string
}

/** Given names that belong together (male, female) and family names, by language; tuning and held-out share none. */
const NAMES = {
  tuning: {
    male: 'James Oliver Robert Daniel Thomas Stefan Andreas Matthias Piotr Krzysztof Giuseppe Luca Javier Carlos Erik Lars Rahul Vikram Kwame Tunde Hiroshi Minh Mehmet Dmitry Sergey'.split(
      ' ',
    ),
    female:
      'Emma Sarah Elizabeth Margaret Katharina Julia Sabine Heike Agnieszka Katarzyna Chiara Giulia Lucía Carmen Ingrid Karin Priya Kavita Ngozi Amina Yui Linh Zeynep Olga Natalia'.split(
        ' ',
      ),
    family:
      'Thackeray Pemberton Hawthorne Walker Fletcher Müller Schäfer Großmann Jäger Köhler Wiśniewski Zieliński Kamiński Rossetti Bianchi Ibáñez Zúñiga Lindström Sørensen Åkesson Deshpande Iyer Mensah Okafor Nakamura Shimizu Đặng Öztürk Volkov Sokolov'.split(
        ' ',
      ),
  },
  heldOut: {
    male: 'William Edward Michael Samuel George Jürgen Björn Johannes Paweł Łukasz Francesco Matteo Alejandro Andrés Søren Håkon Amit Arjun Kofi Chinedu Kenji Tuấn Mustafa Alexey Andrey'.split(
      ' ',
    ),
    female:
      'Catherine Victoria Susan Rebecca Jennifer Anna Ursula Käthe Małgorzata Zofia Francesca Ludovica Inés Begoña Åsa Solveig Anjali Meera Wanjiku Fatou Sakura Hương Ayşe Irina Svetlana'.split(
        ' ',
      ),
    family:
      'Kirkbride Ashdown Loxley Calloway Stoddard Böhm Günther Hübner Weißgerber Krüger Jabłoński Błaszczyk Grześkowiak Esposito Viganò Echeverría Peña Ångström Jørgensen Håland Kulkarni Banerjee Boateng Adebayo Kobayashi Watanabe Phạm Yılmaz Morozov Lebedev'.split(
        ' ',
      ),
  },
} as const

const COMPANIES = {
  tuning:
    'Aldermoor Copperfen Emberlode Galewright Ironquill Kestrelbury Mistlethorn Oakenshire'.split(
      ' ',
    ),
  heldOut:
    'Brackwater Dunlinwick Fennimoor Hollowmere Juniperhatch Larkenfold Nettlebrook Quarrystone'.split(
      ' ',
    ),
} as const
const BUSINESSES =
  'Systems Labs Foods Logistics Robotics Energy Software Analytics Textiles Optics'.split(' ')
const TITLES =
  'Engineer,Product Manager,Head of Sales,Designer,Accountant,Researcher,Recruiter,Director'.split(
    ',',
  )
const CITIES =
  'Berlin/Germany,London/United Kingdom,Kraków/Poland,Madrid/Spain,Oslo/Norway,Pune/India,Boston/United States,Lyon/France'.split(
    ',',
  )
const FREEMAIL = 'gmail.com outlook.com yahoo.com gmx.de icloud.com proton.me'.split(' ')

export type Part = keyof typeof NAMES

export function personOf(random: Random, part: Part, gender?: 'male' | 'female'): Person {
  const names = NAMES[part]
  const given = random.pick(names[gender ?? random.pick(['male', 'female'] as const)])
  return employed(random, part, { given, family: random.pick(names.family) })
}

/** The person with a job and addresses of their own. */
export function employed(
  random: Random,
  part: Part,
  { given, family }: { readonly given: string; readonly family: string },
): Person {
  const company = `${random.pick(COMPANIES[part])} ${random.pick(BUSINESSES)}`
  const [city = '', country = ''] = random.pick(CITIES).split('/')
  const domain = `${ascii(company).replaceAll(' ', '')}.example`
  const [g, f] = [ascii(given), ascii(family)]
  const number = Math.floor(random.next() * 900 + 100)
  return {
    given,
    family,
    company,
    domain,
    title: random.pick(TITLES),
    city,
    country,
    workEmail: `${random.pick([`${g}.${f}`, `${g[0]}${f}`, g])}@${domain}`,
    privateEmail: `${random.pick([`${g}.${f}${number}`, `${g}${f}${number}`, `${f}.${g[0]}${number}`])}@${random.pick(FREEMAIL)}`,
    mobile: phoneOf(random),
    birthday: `19${50 + Math.floor(random.next() * 50)}-${twoDigits(1 + Math.floor(random.next() * 12))}-${twoDigits(1 + Math.floor(random.next() * 28))}`,
    slug: `${g}-${f}-${Math.floor(random.next() * 2 ** 31).toString(36)}9`,
  }
}

export function phoneOf(random: Random): string {
  return `+49 1${50 + Math.floor(random.next() * 29)} ${Math.floor(1_000_000 + random.next() * 9_000_000)}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** The name as people write it in an email address. */
export function ascii(text: string): string {
  return text
    .toLowerCase()
    .replace(
      /[ßæøłđı]/g,
      (letter) => ({ ß: 'ss', æ: 'ae', ø: 'o', ł: 'l', đ: 'd', ı: 'i' })[letter] ?? '',
    )
    .normalize('NFKD')
    .replace(/[^a-z ]/g, '')
}

export function record(fields: Partial<Matchable> & { readonly name: string }): Matchable {
  return { ...NO_VALUES, ...fields }
}

/** What a professional network exports: name, job and profile, and for some the email. */
export function networkRecord(person: Person, changes: Partial<Matchable> = {}): Matchable {
  return record({
    name: `${person.given} ${person.family}`,
    givenName: person.given,
    familyName: person.family,
    company: person.company,
    title: person.title,
    profileUrl: `https://www.linkedin.com/in/${person.slug}`,
    ...changes,
  })
}

/** What an address book holds. */
export function addressBookRecord(person: Person, changes: Partial<Matchable> = {}): Matchable {
  return record({
    name: `${person.given} ${person.family}`,
    givenName: person.given,
    familyName: person.family,
    emails: [person.privateEmail],
    phones: [person.mobile],
    ...changes,
  })
}
