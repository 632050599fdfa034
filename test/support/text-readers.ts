/** Everything that reads text of members and their files, for the test of how the time grows. */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentAnalyzer } from '../../src/search/build/analyze-document.ts'
import { analyzeQuery } from '../../src/search/query/analyze-query.ts'
import { segmentBuilder } from '../../src/search/build/build-segment.ts'
import { EMPTY_DOCUMENT } from '../../src/search/build/search-document.ts'
import { searchIndex } from '../../src/search/search-index.ts'
import { SearchScratch } from '../../src/search/index/people-set.ts'
import { snippetFinder } from '../../src/search/index/snippet.ts'
import { readSearchQuery } from '../../src/search/query/read-query.ts'
import { decideMatch } from '../../src/identity/decide-match.ts'
import { matchKeysOf } from '../../src/connections/model/match-keys.ts'
import { connectionsCsv } from '../../src/exports/connections-csv.ts'
import { vcardOf } from '../../src/exports/write-vcard.ts'
import { html } from '../../src/html/html.ts'
import { resultMarkdown } from '../../src/mcp/server/resource-markdown.ts'
import { tokenize } from '../../src/base/tokenize.ts'
import { findDates, findRecurringDates } from '../../src/dates/find-dates.ts'
import { readDateText, readDaysText } from '../../src/dates/read-date.ts'
import { MAX_TOKENS } from '../../src/search/questions/phrases.ts'
import { parsePersonName } from '../../src/identity/person-name.ts'
import { readWhole } from '../fixtures/reading.ts'
import { zipOf } from './zip.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Characters. The growth test also reads a text that is 8 times as long, longer than any note. */
const NOTE_LENGTH = 10_000
/** Characters; 8 times as many are several blocks of a file. */
const FILE_LENGTH = 50_000
/** 8 times as many are less than a cell of several lines has, because a longer one is read as many rows. */
const CELL_LENGTH = 16_000
const WITH_LONG_CELLS = new Set(['a table with quotation marks', 'a table of Outlook'])
/** The lengths of a name and of a query, which are shorter. */
const NAME_LENGTH = 300
const QUERY_LENGTH = 500

/** The text is put into the places of a file where readers look at it in different ways. */
const FILES: Readonly<Record<string, (text: string) => string | Uint8Array>> = {
  'a plain text': (text) => text,
  'a table': (text) =>
    `Name,Email,Phone,URL,Tags,Note\nAnn Lee,${text}\nBen Poe,b@x.org,1,,,${text}\n`,
  'a table with quotation marks': (text) => {
    const cell = `"${text.replaceAll('"', '""')}"`
    return `Name,Email,Phone,URL,Tags,Birthday,Status,Note\nAnn,${`${cell},`.repeat(6)}${cell}\n`
  },
  'a table of Outlook': (text) => {
    const cell = `"${text.replaceAll('"', '""')}"`
    return `First Name,Last Name,Company,Initials,Sensitivity,E-mail Address,Mobile Phone\nAnn,${`${cell},`.repeat(5)}${cell}\n`
  },
  'a header': (text) => `Name,Email,${text}\nAnn Lee,ann@x.org,1\n`,
  'a vCard': (text) =>
    `BEGIN:VCARD\nVERSION:3.0\nFN:Ann Lee\nN:${text}\nTEL:${text}\nEMAIL:${text}\nADR:${text}\nORG:${text}\nBDAY:${text}\nURL:${text}\nNOTE;ENCODING=QUOTED-PRINTABLE:${text}\nX-OTHER;${text}:${text}\n${text}\nRELATED:${text}\nEND:VCARD\n`,
  LDIF: (text) => `dn: cn=Ann\ncn: Ann Lee\nmail:${text}\ndescription:: ${text}\n${text}: x\n`,
  recipients: (text) => `Ann Lee <ann@x.org>, "${text}" <b@x.org>, ${text}\n`,
  JSON: (text) => JSON.stringify([{ name: 'Ann Lee', email: text, phone: text, [text]: text }]),
  jCard: (text) =>
    JSON.stringify([
      'vcard',
      [
        ['fn', {}, 'text', 'Ann'],
        ['tel', { type: text }, 'text', text],
      ],
    ]),
  'an export of LinkedIn': (text) =>
    zipOf([
      {
        name: 'Connections.csv',
        content: 'First Name,Last Name,URL\nAnn,Lee,linkedin.com/in/ann\n',
        store: true,
      },
      { name: 'messages.csv', content: `FROM,TO,DATE\n${text},${text},${text}\n`, store: true },
    ]),
  'a workbook': (text) => workbookOf(text.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd]/g, 'x')),
}

/** With thousands of values instead of long ones. */
const MANY: typeof FILES = {
  'a vCard with many values': (text) => {
    const lines = (text.match(/.{1,4}/gs) ?? []).map(
      (part, at) => `MEMBER;ALTID=1:${part}\nEMAIL;ALTID=1:a${at}@x.org\nX-${at}:${part}\n`,
    )
    return `BEGIN:VCARD\nFN:Ann Lee\n${lines.join('')}END:VCARD\n`
  },
  'a table with many cells': (text) => {
    const cells = text.replaceAll(/["\n\r]/g, 'x').match(/.{1,4}/gs) ?? []
    return `Name,Tags,Company,${cells.slice(0, 500).join(',')}\nAnn,${cells.join(';')},${cells.join(';')}\n`
  },
}

function workbookOf(text: string): Uint8Array {
  const escaped = html`${text}`.toString()
  const cell = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
  const files = {
    'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${escaped}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row>${cell('Name')}${cell('Email')}</row><row>${cell('Ann Lee')}${cell(escaped)}</row></sheetData></worksheet>`,
  }
  return zipOf(Object.entries(files).map(([name, content]) => ({ name, content, store: true })))
}

/** Reads a file, and does with its people what an import, a search and an export do. */
async function useFile(file: string | Uint8Array): Promise<void> {
  const { contacts } = await readWhole(file)
  const [one, other = one] = contacts
  if (!one || !other) return
  matchKeysOf(one)
  decideMatch(one, other)
  const { profileUrl, links, details = {}, note, ...fields } = one
  const urls = profileUrl === null ? links : [profileUrl, ...links]
  const none = { lastContactOn: null, cadence: '' }
  const portable = { ...fields, ...none, urls, details, note: note ?? '' }
  vcardOf(portable)
  connectionsCsv([]).line(portable)
}

const ANN = { ...EMPTY_DOCUMENT, name: 'Ann Lee', company: 'Acme', title: 'Engineer' }

/** The index of a network with this person. */
function indexOf(person: object) {
  const builder = segmentBuilder()
  builder.add(documentAnalyzer()({ ...ANN, ...person }))
  const segment = builder.finish()
  return { segments: [{ segment, gone: undefined }], people: 1 }
}

const scratch = new SearchScratch()
let ann: ReturnType<typeof indexOf> | undefined

const TEXTS: Readonly<Record<string, (text: string) => unknown>> = {
  'the notes of a person': (text) => indexOf({ notes: [text] }),
  'the details of a person': (text) =>
    indexOf({
      detailTexts: [text],
      followUps: [text],
      links: [text],
      emails: [text],
      phones: [text],
    }),
  'the name of a person': (text) => {
    const name = text.slice(0, NAME_LENGTH)
    indexOf({ name, company: name, title: name, location: name, tags: [{ tag: name, key: name }] })
    parsePersonName(name)
  },
  'a query': (text) => {
    const query = text.slice(0, QUERY_LENGTH)
    const index = (ann ??= indexOf({}))
    const words = analyzeQuery(query)
    searchIndex(index, { words, limit: 10 }, scratch)
    searchIndex(index, { ...readSearchQuery(index, query, { now: 0 }), limit: 10 }, scratch)
  },
  'a snippet': (text) => snippetFinder(analyzeQuery('engineer ann@x.org'))(text),
  'a date': (text) => readDateText(text, { timeZone: 'UTC', now: 0 }),
  'a period': (text) => readDaysText(text, { timeZone: 'UTC', now: 0 }),
  'dates in a question': (text) => {
    const words = tokenize(text).slice(0, MAX_TOKENS)
    findDates(words, () => '2026-11-22')
    findRecurringDates(words, () => '2026-11-22')
  },
  'a page': (text) => html`<p title="${text}">${text}</p>`.toString(),
  'a result in markdown': (text) => resultMarkdown(text, { text, list: [text, { text }] }),
}

/** Functions of one text in these folders are found by their declaration. */
const FOLDERS =
  '{base,dates,identity,search/**,contact-files/**,imports/**,exports,html,ui,connections/**,ask,discovery/docs}'
const OF_ONE_TEXT =
  /^export (?:async )?function\*? (\w+)\(\w+: string(?:, \w+(?:\?: [^,)]+| = [^,)]+))*\)/gm
/** Our own text, which is not measured. */
const NOT_OF_MEMBERS = new Set(['plainLine', 'markdownHtml'])
/** Readers of codes of number formats. Codes over 255 characters are not read. */
const OF_FORMAT_CODES = new Set(['dateTokens', 'fractionIn', 'languageIn'])

/** The readers for which one text is enough. */
export const READERS_OF_MANY: readonly string[] = Object.keys(MANY)

let all: Promise<readonly Reader[]> | undefined

interface Reader {
  readonly name: string
  /** Characters of the text. */
  readonly length: number
  readonly read: (text: string) => unknown
}

export function readers(): Promise<readonly Reader[]> {
  return (all ??= allReaders())
}

async function allReaders(): Promise<readonly Reader[]> {
  const files = globSync(`src/${FOLDERS}/*.ts`, { cwd: ROOT }).filter(
    (file) => !file.endsWith('.test.ts'),
  )
  const functions = await Promise.all(files.toSorted().map(functionsIn))
  return [
    ...Object.entries({ ...FILES, ...MANY }).map(([name, fileOf]) => ({
      name,
      length: WITH_LONG_CELLS.has(name) ? CELL_LENGTH : FILE_LENGTH,
      read: (text: string) => useFile(fileOf(text)),
    })),
    ...Object.entries(TEXTS).map(([name, read]) => ({ name, length: NOTE_LENGTH, read })),
    ...functions.flat(),
  ]
}

async function functionsIn(file: string): Promise<Reader[]> {
  const path = join(ROOT, file)
  const names = [...readFileSync(path, 'utf8').matchAll(OF_ONE_TEXT)].map(([, name = '']) => name)
  const found = names.filter((name) => !NOT_OF_MEMBERS.has(name) && !OF_FORMAT_CODES.has(name))
  if (found.length === 0) return []
  const module = (await import(path)) as Record<string, (text: string) => unknown>
  return found.map((name) => ({
    name: `${file} ${name}`,
    length: NOTE_LENGTH,
    read: (text) => module[name]?.(text),
  }))
}
