// The CSV exports of classic and new Outlook, in English, German and French.

import type { ColumnReading } from './columns.ts'
import { cell, columnNamed, columnsNamed, joinLocation } from './columns.ts'
import { birthdayIn } from './dates.ts'

export function outlookColumns(header: readonly string[]): ColumnReading | null {
  const at = columnsIn(header)
  const found = Object.values(at)
    .flat()
    .filter((index) => index !== -1)
  const named = at.first !== -1 || at.last !== -1
  if (!named || found.length < 3 || !header.some((name) => SIGNATURE.has(name))) return null
  // In English exports, dates start with the month. (`Title` is the honorific.)
  const order = header.includes('first name') ? 'month-first' : 'day-first'
  return {
    score: found.length,
    draftOf: (cells) => ({
      fullName: fullNameOf(cells, at),
      givenName: cell(cells, at.first),
      familyName: cell(cells, at.last),
      company: cell(cells, at.company),
      title: cell(cells, at.job),
      location: locationOf(cells, at),
      emails: at.emails.map((index) => cell(cells, index)),
      phones: at.phones.map((index) => cell(cells, index)),
      urls: at.pages.map((index) => cell(cells, index)),
      birthday: birthdayIn(cell(cells, at.birthday), order),
      connectedOn: null,
      note: cell(cells, at.notes),
      labels: cell(cells, at.categories).split(/[;,]/),
    }),
  }
}

type Columns = ReturnType<typeof columnsIn>

function columnsIn(header: readonly string[]) {
  return {
    first: columnNamed(header, ['first name', 'vorname', 'prénom']),
    middle: columnNamed(header, ['middle name', 'weitere vornamen', 'deuxième prénom']),
    last: columnNamed(header, ['last name', 'nachname', 'nom']),
    suffix: columnNamed(header, ['suffix', 'suffix name', 'suffixe']),
    nickname: columnNamed(header, ['nickname', 'spitzname', 'surnom']),
    company: columnNamed(header, ['company', 'firma', 'société']),
    job: columnNamed(header, ['job title', 'position', 'titre de poste', 'fonction', 'profession']),
    place: columnNamed(header, ['location', 'ort', 'emplacement', 'office location']),
    birthday: columnNamed(header, ['birthday', 'geburtstag', 'anniversaire']),
    notes: columnNamed(header, ['notes', 'notizen']),
    categories: columnNamed(header, ['categories', 'kategorien', 'catégories']),
    emails: columnsNamed(header, EMAILS),
    phones: columnsNamed(header, PHONES),
    pages: columnsNamed(header, PAGES),
    work: columnsNamed(header, WORK_PLACE),
    home: columnsNamed(header, HOME_PLACE),
    other: columnsNamed(header, OTHER_PLACE),
  }
}

function fullNameOf(cells: readonly string[], at: Columns): string {
  const parts = [at.first, at.middle, at.last].map((index) => cell(cells, index).trim())
  const written = parts.filter((part) => part !== '')
  if (written.length === 0) return cell(cells, at.nickname)
  return [...written, cell(cells, at.suffix).trim()].join(' ')
}

function locationOf(cells: readonly string[], at: Columns): string {
  for (const columns of [at.work, at.home, at.other]) {
    const location = joinLocation(columns.map((index) => cell(cells, index)))
    if (location !== '') return location
  }
  return cell(cells, at.place)
}

const EMAILS = [
  ['e-mail address', 'e-mail 2 address', 'e-mail 3 address'], // prose-ok
  ['e-mail-adresse', 'e-mail 2: adresse', 'e-mail 3: adresse'], // prose-ok
  ['adresse de messagerie', 'adresse de messagerie 2', 'adresse de messagerie 3'],
  ['e-mail', 'email address', 'adresse e-mail'], // prose-ok
].flat()

// Preferred numbers first; faxes and pagers last.
const PHONES = [
  ['primary phone', 'haupttelefon', 'téléphone principal'],
  ['mobile phone', 'mobiltelefon', 'tél. mobile', 'téléphone mobile'],
  ['business phone', 'telefon geschäftlich', 'téléphone (bureau)'],
  ['business phone 2', 'telefon geschäftlich 2', 'téléphone 2 (bureau)'],
  ['home phone', 'telefon privat', 'téléphone (domicile)'],
  ['home phone 2', 'telefon privat 2', 'téléphone 2 (domicile)'],
  ['company main phone', 'telefon firma', 'téléphone société'],
  ['other phone', 'weiteres telefon', 'téléphone (autre)'],
  ['car phone', 'callback', 'radio phone', "assistant's phone", 'isdn', 'telex'],
  ['business fax', 'fax geschäftlich', 'télécopie (bureau)'],
  ['home fax', 'fax privat', 'télécopie (domicile)', 'other fax', 'pager'],
].flat()

const PAGES = ['web page', 'personal web page', 'business home page', 'webseite', 'page web']

const WORK_PLACE = [
  ['business city', 'business state', 'business country', 'business country/region'],
  ['ort geschäftlich', 'region geschäftlich', 'land/region geschäftlich'],
  ['ville (bureau)', 'dép/région (bureau)', 'pays/région (bureau)'],
].flat()

const HOME_PLACE = [
  ['home city', 'home state', 'home country', 'home country/region'],
  ['ort privat', 'bundesland/kanton privat', 'land/region privat'],
  ['ville (domicile)', 'dép/région (domicile)', 'pays/région (domicile)'],
].flat()

const OTHER_PLACE = ['other city', 'other state', 'other country', 'other country/region']

/** Column names that only Outlook uses. */
const SIGNATURE = new Set([
  ...EMAILS.slice(0, 9),
  ...PHONES,
  ...WORK_PLACE,
  ...HOME_PLACE,
  'job title',
])
