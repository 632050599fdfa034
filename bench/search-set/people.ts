/**
 * 300 invented people with every field, and the facts about them that judgments use. `people.txt` has those that
 * questions are about; the others are composed from lists below, so that no question is easy because there are too few
 * people.
 */

import { readFileSync } from 'node:fs'

export interface SearchPerson {
  /** Unique; questions name people by it. */
  readonly handle: string
  readonly name: string
  readonly title: string
  readonly company: string | null
  readonly location: string
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  readonly profileUrl: string
  readonly links: readonly string[]
  readonly tags: readonly string[]
  readonly notes: readonly { readonly on: string; readonly text: string }[]
  /** YYYY-MM-DD */
  readonly connectedOn: string
  readonly facts: Facts
}

/** Facts about a person, decided when the person was written. Searches do not see them. */
export interface Facts {
  readonly role: string
  readonly city: string
  readonly company: string
  readonly former: string
  readonly topics: readonly string[]
}

const MAX_PEOPLE = 300

/** The lines of a file of this folder, as trimmed cells. */
export function readCells(file: string): string[][] {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
}

function listOf(cell: string | undefined, separator = ','): string[] {
  return (cell ?? '')
    .split(separator)
    .map((value) => value.trim())
    .filter((value) => value !== '')
}

const COUNTRIES: Readonly<Record<string, string>> = Object.fromEntries(
  `Amsterdam, Netherlands; Athens, Greece; Auckland, New Zealand; Bangalore, India; Barcelona, Spain; Beijing, China;
  Belgrade, Serbia; Berkeley, California; Berlin, Germany; Bologna, Italy; Boston, Massachusetts; Bristol, United Kingdom;
  Bucharest, Romania; Budapest, Hungary; Buenos Aires, Argentina; Cambridge, United Kingdom; Cape Town, South Africa;
  Cologne, Germany; Copenhagen, Denmark; Dublin, Ireland; Edinburgh, United Kingdom; Frankfurt, Germany;
  Gothenburg, Sweden; Hamburg, Germany; Helsinki, Finland; Istanbul, Türkiye; Kyiv, Ukraine; Lagos, Nigeria;
  Leipzig, Germany; Lisbon, Portugal; London, United Kingdom; Madrid, Spain; Malmö, Sweden; Manchester, United Kingdom;
  Melbourne, Australia; Mexico City, Mexico; Milan, Italy; Montreal, Canada; Munich, Germany; Nairobi, Kenya;
  New York, NY; Oakland, California; Paris, France; Porto, Portugal; Prague, Czechia; Reykjavik, Iceland;
  Rotterdam, Netherlands; San Francisco, California; Santiago, Chile; São Paulo, Brazil; Seoul, South Korea;
  Stockholm, Sweden; Stuttgart, Germany; Tel Aviv, Israel; Tokyo, Japan; Toronto, Canada; Toulouse, France;
  Turin, Italy; Utrecht, Netherlands; Vienna, Austria; Warsaw, Poland; Zug, Switzerland; Zurich, Switzerland`
    .split(';')
    .map((place) => place.trim().split(', ') as [string, string]),
)

/** Some write their city in their own language. */
const OWN_SPELLINGS: Readonly<Record<string, string>> = {
  Munich: 'München, Deutschland',
  Cologne: 'Köln',
  Milan: 'Milano, Italia',
  Lisbon: 'Lisboa, Portugal',
  Zurich: 'Zürich, Schweiz',
  Copenhagen: 'København, Danmark',
}

function locationOf(city: string, index: number): string {
  const own = OWN_SPELLINGS[city]
  if (own !== undefined && index % 2 === 0) return own
  const country = COUNTRIES[city]
  return country === undefined ? city : `${city}, ${country}`
}

function domainOf(company: string): string {
  const label = company
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')
  return `${label === '' ? 'mail' : label}.example`
}

const CONTACTS = new Map(
  readCells('contacts.txt').map(([handle = '', emails, phones = '', links]) => [
    handle,
    { emails: listOf(emails), phones: [phones], links: listOf(links) },
  ]),
)

interface Draft {
  readonly handle: string
  readonly name: string
  readonly title: string
  readonly tags: readonly string[]
  readonly notes: SearchPerson['notes']
  readonly facts: Facts
}

function personOf(draft: Draft, index: number): SearchPerson {
  const { handle, facts } = draft
  const contacts = CONTACTS.get(handle)
  const number = String(5_550_200 + index * 37)
  return {
    ...draft,
    company: facts.company === '' ? null : facts.company,
    location: locationOf(facts.city, index),
    emails: contacts?.emails ?? [emailOf(draft, index)],
    phones: contacts?.phones ?? [
      [`+49 40 ${number}`, `+44 20 ${number}`, `+1 (617) ${number.slice(0, 3)}-${number.slice(3)}`][
        index % 3
      ] ?? '',
    ],
    profileUrl: `https://www.linkedin.com/in/member-${(index * 7919 + 104_729).toString(36)}`,
    links: contacts?.links ?? [],
    connectedOn: `20${18 + (index % 8)}-${String(1 + (index % 12)).padStart(2, '0')}-15`,
  }
}

/**
 * Every third plain name is in the email. Names with accents or in other scripts never are: a search would find their
 * transliteration there without knowing it.
 */
function emailOf({ name, handle, facts }: Draft, index: number): string {
  const isPlain = /^[\x20-\x7e]+$/.test(name)
  const initials = handle.replace(/^(.)[^.]*\.(.).*$/, '$1$2')
  const user = isPlain && index % 3 === 0 ? handle : `${initials}${index}`
  return `${user}@${domainOf(facts.company)}`
}

function writtenPeople(): Draft[] {
  return readCells('people.txt').map((cells) => {
    const [name = '', handle = '', role = '', title = '', company = '', city = ''] = cells
    const [tags, topics, former = '', notes] = cells.slice(6)
    return {
      handle,
      name,
      title,
      tags: listOf(tags),
      notes: [
        ...listOf(notes, ';;').map((note) => ({ on: note.slice(0, 10), text: note.slice(11) })),
        ...formerNotes(former, notes ?? '', handle.length),
      ],
      facts: { role, city, company, former, topics: listOf(topics) },
    }
  })
}

/** Where someone worked before is in a note; it is older than all others. */
function formerNotes(former: string, notes: string, variant: number): SearchPerson['notes'] {
  if (former === '' || notes.includes(former)) return []
  const texts = [`Was at ${former} before.`, `Used to work at ${former}.`, `Ex-${former}.`]
  return [{ on: '2023-05-05', text: at(texts, variant) }]
}

/** company, topics, city */
const COMPANIES = [
  ['Brightpenny', 'payments, fintech', 'London'],
  ['Quillbank', 'fintech', 'Edinburgh'],
  ['Cordwell Clinic', 'health', 'London'],
  ['Stackwell', 'software', 'Dublin'],
  ['Terravolt', 'batteries, climate', 'Leipzig'],
  ['Morgenrot Capital', 'venture', 'Hamburg'],
  ['Stahlmann Werke', 'manufacturing', 'Stuttgart'],
  ['Siebenstern', 'hardware', 'Munich'],
  ['Hydrelle', 'hydrogen, climate', 'Paris'],
  ['Maison Perle', 'fashion', 'Paris'],
  ['Pixelbarn', 'software', 'Warsaw'],
  ['Cloudnest', 'cloud, software', 'Amsterdam'],
  ['Portline Shipping', 'logistics', 'Rotterdam'],
  ['Mooncap Games', 'gaming', 'Helsinki'],
  ['Nordkrona', 'fintech', 'Stockholm'],
  ['Escola Horizonte', 'education', 'São Paulo'],
  ['Havre Coffee', 'food', 'Melbourne'],
  ['Deepfern', 'ai', 'Toronto'],
  ['Keystead', 'realestate', 'New York'],
  ['Bramley University', 'research', 'Boston'],
  ['Ferrox Automation', 'robotics, manufacturing', 'Turin'],
  ['Northgate Advisory', '', 'Manchester'],
  ['Radio Nordlicht', 'media', 'Hamburg'],
] as const

/** role, title */
const TITLES = [
  ['dev', 'Software Engineer'],
  ['sales', 'Account Manager'],
  ['designer', 'UX Designer'],
  ['pm', 'Product Manager'],
  ['hr', 'HR Business Partner'],
  ['data', 'Data Analyst'],
  ['marketing', 'Content Marketing Manager'],
  ['dev', 'Frontend Developer'],
  ['cfo', 'Finance Manager'],
  ['support', 'Customer Support Specialist'],
  ['qa', 'Quality Engineer'],
  ['assistant', 'Office Manager'],
  ['project', 'Project Manager'],
] as const

const GIVEN =
  `Adele Bastian Celine Dario Edda Fabian Gudrun Hamish Imogen Joost Karima Linus Mirjam Nils Odette Pablo
  Quirin Rosalie Stellan Tamara Umberto Vera Wilma Yann Zora Alba Bruno Cosima Dorian Elif Flavio Gesine Helmut Ilse
  Jarek Kerstin Lorenzo Mads Noor Orla Pippa`.split(/\s+/)
const FAMILY =
  `Abendroth Baumgarten Carvalho Dombek Eriksen Falkenrath Gustafson Hollister Isaksen Jankowski Kettering
  Lombardi Mortensen Niedermayer Oakeshott Pellegrino Quesada Rasmussen Sandoval Tillmann Unterberg Vasquez Westergren
  Yardley Zabel Ambrose Birkholz Chevalier Duquesne Engelhardt Fairbanks Grunewald Hathaway Ingersoll Jefferies Kowalewski
  Lockwood Millner Norqvist Ostrander Prescott Rehberg Schumann Tavernier Vogelgesang Winterbourne Zielinski`.split(
    /\s+/,
  )

/** No question is about these. */
const NOTES = [
  'Shared a taxi to the airport.',
  'Sent the slides; asked for the budget template.',
  'Prefers calls in the morning.',
  'Plays chess by mail.',
  'Moved offices, new floor plan.',
  'Lent me a book about typography.',
  'Knows the best dumplings in town.',
  'Waiting for an answer about the contract.',
  'On parental leave until autumn.',
  'Sings in a choir.',
  'Collects stamps with trains on them.',
  'Asked about our pricing.',
] as const

/** `index` selects from every list with a different step, so that combinations differ. */
function composedPerson(index: number): Draft {
  const [given, family] = [at(GIVEN, index), at(FAMILY, index * 7)]
  const [company, topics, city] = at(COMPANIES, index * 5)
  const [role, title] = at(TITLES, index * 3)
  const on = `202${4 + (index % 2)}-${String(1 + ((index * 5) % 12)).padStart(2, '0')}-${String(10 + (index % 18))}`
  return {
    handle: `${given}.${family}`.toLowerCase(),
    name: `${given} ${family}`,
    title,
    tags: index % 4 === 0 ? ['newsletter'] : [],
    notes: [{ on, text: at(NOTES, index) }],
    facts: { role, city, company, former: '', topics: listOf(topics) },
  }
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length]
  if (item === undefined) throw new Error('the list is empty')
  return item
}

const WRITTEN = writtenPeople()

export const SEARCH_PEOPLE: readonly SearchPerson[] = [
  ...WRITTEN,
  ...Array.from({ length: MAX_PEOPLE - WRITTEN.length }, (_, index) => composedPerson(index)),
].map(personOf)
