// The demo account's network: two hundred fictional people and the fictional companies where they work.

import { readDataLines } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'
import { normalForm } from '../../base/normal-form.ts'

export interface DemoPerson {
  readonly name: string
  readonly givenName: string
  readonly familyName: string
  readonly company: string | null
  readonly title: string | null
  readonly location: string
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  readonly profileUrl: string | null
  /** YYYY-MM-DD */
  readonly connectedOn: string
  readonly tags: readonly string[]
  readonly notes: readonly { readonly on: string; readonly text: string }[]
}

interface DemoCompany {
  readonly name: string
  readonly sector: string
  readonly city: string
}

/** Number ranges that regulators reserve for fiction; they have no real subscribers. */
const PHONES: Readonly<Record<string, readonly [start: string, digits: number]>> = {
  Berlin: ['+49 30 23125 ', 3],
  Munich: ['+49 89 99998 ', 3],
  Manchester: ['+44 161 496 0', 3],
  Glasgow: ['+44 141 496 0', 3],
  Edinburgh: ['+44 131 496 0', 3],
  London: ['+44 20 7946 0', 3],
  Boston: ['+1-617-555-01', 2],
  Denver: ['+1-303-555-01', 2],
  Austin: ['+1-512-555-01', 2],
  Toronto: ['+1-416-555-01', 2],
  Germany: ['+49 176 040690', 2],
  'United Kingdom': ['+44 7700 900', 3],
  'United States': ['+1-202-555-01', 2],
  France: ['+33 1 99 00 ', 4],
  Ireland: ['+353 20 911 0', 3],
  Australia: ['+61 3 5550 0', 3],
  Sweden: ['+46 8 465 004 ', 2],
}

const ORGANIZATIONS = /nonprofit|public sector|research|philanthropy|journalism/

const UNDECOMPOSED: Readonly<Record<string, string>> = {
  æ: 'ae',
  ð: 'd',
  đ: 'd',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
}

/** The words of a name as lower-case ASCII, joined by hyphens. */
function slugOf(text: string): string {
  const letters = text.toLowerCase().replace(/[æðđıłøœßþ]/g, (letter) => UNDECOMPOSED[letter] ?? '')
  return normalForm(letters, 'NFD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

function cellsOf(line: string): string[] {
  return line.split('|').map((cell) => cell.trim())
}

function readCompanies(lines: readonly string[]): readonly DemoCompany[] {
  return lines.map((line) => {
    const [name = '', sector = '', city = ''] = cellsOf(line)
    return { name, sector, city }
  })
}

function displayName(given: string, family: string): string {
  if (/\p{Script=Han}/u.test(family)) return `${family} ${given}`
  if (/\p{Script=Hangul}/u.test(family)) return family + given
  return `${given} ${family}`
}

/** A company email in that company's style: first.last, f.last or first. */
function workEmail(given: string, family: string, company: DemoCompany): string {
  const domain = slugOf(company.name)
  const ending = ORGANIZATIONS.test(company.sector) ? 'example.org' : 'example.com'
  const style = domain.length % 3
  const first = style === 1 ? given.slice(0, 1) : given
  const local = style === 2 ? given : `${first}.${family}`
  return `${local}@${domain}.${ending}`
}

function phoneIn(location: string, index: number): string {
  const [city = '', country = ''] = location.split(', ')
  const range = PHONES[city] ?? PHONES[country]
  if (range === undefined) throw new Error(`no fictional phone range for ${location}`)
  const [start, digits] = range
  const number = (index * 37) % 10 ** digits
  return start + String(number).padStart(digits, '0')
}

function readPeople(
  lines: readonly string[],
  companies: ReadonlyMap<string, DemoCompany>,
): readonly DemoPerson[] {
  const blocks: { line: string; notes: { on: string; text: string }[] }[] = []
  for (const line of lines) {
    if (!line.startsWith('  ')) {
      blocks.push({ line, notes: [] })
      continue
    }
    const note = line.trim()
    blocks.at(-1)?.notes.push({ on: note.slice(0, 10), text: note.slice(11) })
  }

  const slugs = new Set<string>()
  return blocks.map(({ line, notes }, index) => {
    const [first = '', last = '', employer = '', title = '', place = '', on = '', tags, has = ''] =
      cellsOf(line)
    const [givenName = '', givenLatin = givenName] = first.split('~')
    const [familyName = '', familyLatin = familyName] = last.split('~')
    const company = companies.get(employer)
    if (company === undefined && employer !== '-') throw new Error(`unknown company ${employer}`)
    const location = place || (company?.city ?? '')

    const given = slugOf(givenLatin)
    const family = slugOf(familyLatin)
    const plain = `${given}-${family}`
    const slug = slugs.has(plain) ? `${plain}-2` : plain
    slugs.add(slug)

    const emails: string[] = []
    if (has.includes('w') && company) emails.push(workEmail(given, family, company))
    if (has.includes('h')) emails.push(`${given}.${family}@post.example.net`)
    return {
      name: displayName(givenName, familyName),
      givenName,
      familyName,
      company: company?.name ?? null,
      title: title === '-' ? null : title,
      location,
      emails,
      phones: has.includes('p') ? [phoneIn(location, index)] : [],
      profileUrl: has.includes('u') ? `https://www.linkedin.com/in/${slug}-demo` : null,
      connectedOn: on,
      tags: tags ? tags.split(' ') : [],
      notes,
    }
  })
}

export const demoCompanies = lazy(() => readCompanies(readDataLines(dataFile('companies.txt'))))

export const demoPeople = lazy(() =>
  readPeople(
    readDataLines(dataFile('people.txt')),
    new Map(demoCompanies().map((company) => [company.name, company])),
  ),
)

function dataFile(name: string): URL {
  return new URL(`data/${name}`, import.meta.url)
}
