/** Contact files of every format with as many parts as a number says: of each kind of part that a file can have many of. */

import { zipOf } from './zip.ts'
import { openContactFile } from '../../src/contact-files/read-contacts.ts'

type MakeFile = (count: number) => string | Buffer

const DAY = '2024-05-06'
const WHEN = `${DAY}T10:00:00.000000Z`

function many<Value>(count: number, make: (at: number) => Value): Value[] {
  return Array.from({ length: count }, (_, at) => make(at))
}

/** Records of Monica have a number, a time and properties. */
function entry(uuid: string, properties: object, data: readonly object[] = []) {
  return { uuid, created_at: WHEN, updated_at: WHEN, properties, data }
}

function group(type: string, values: readonly unknown[]) {
  return { count: values.length, type, values }
}

function monica(data: readonly object[], instance: object = {}): string {
  const account = { uuid: 'a', data, properties: {}, instance }
  return JSON.stringify({
    version: '1.0-preview.1',
    app_version: '4.1.2',
    export_date: WHEN,
    account,
  })
}

function ada(groups: readonly object[]) {
  return group('contact', [entry('ada', { first_name: 'Ada' }, groups)])
}

const MONICA: Readonly<Record<string, MakeFile>> = {
  contacts: (count) =>
    monica([
      group(
        'contact',
        many(count, (at) => entry(`c${at}`, { first_name: `P ${at}` })),
      ),
    ]),
  notes: (count) =>
    monica([
      ada([
        group(
          'note',
          many(count, (at) => entry(`n${at}`, { body: `Note ${at}` })),
        ),
      ]),
    ]),
  'groups of one type': (count) =>
    monica([ada(many(count, (at) => group('note', [entry(`n${at}`, { body: `Note ${at}` })])))]),
  'parts of one type': (count) =>
    monica(many(count, (at) => group('contact', [entry(`c${at}`, { first_name: `P ${at}` })]))),
  calls: (count) =>
    monica([
      ada([
        group(
          'call',
          many(count, (at) => entry(`k${at}`, { called_at: WHEN, content: `${at}` })),
        ),
      ]),
    ]),
  reminders: (count) =>
    monica([
      ada([
        group(
          'reminder',
          many(count, (at) =>
            entry(`r${at}`, {
              title: `Call ${at}`,
              initial_date: WHEN,
              frequency_type: 'week',
              frequency_number: 2,
            }),
          ),
        ),
      ]),
    ]),
  activities: (count) =>
    monica([
      ada([
        group(
          'activity',
          many(count, (at) => `x${at}`),
        ),
      ]),
      group(
        'activity',
        many(count, (at) => entry(`x${at}`, { happened_at: WHEN, summary: `S ${at}` })),
      ),
    ]),
  messages: (count) => {
    const messages = many(count, (at) =>
      entry(`m${at}`, { content: `Text ${at}`, written_at: WHEN }),
    )
    return monica([ada([group('conversation', [entry('v', { happened_at: WHEN, messages })])])])
  },
  relationships: (count) =>
    monica([
      group(
        'contact',
        many(count, (at) => entry(`c${at}`, { first_name: `P ${at}` })),
      ),
      group(
        'relationship',
        many(count, (at) =>
          entry(`r${at}`, { type: 'child', contact_is: 'c0', of_contact: `c${at}` }),
        ),
      ),
    ]),
  fields: (count) =>
    monica(
      [
        ada([
          group(
            'contact_field',
            many(count, (at) => entry(`f${at}`, { data: `p${at}@x.org`, type: 't' })),
          ),
        ]),
      ],
      { contact_field_types: [entry('t', { name: 'Email', type: 'email' })] },
    ),
  'unknown keys': (count) =>
    monica([ada([Object.fromEntries(many(count, (at) => [`key${at}`, `value ${at}`]))])]),
}

function nametag(people: readonly object[], journalEntries: readonly object[] = []): string {
  return JSON.stringify({ version: '1.1', exportDate: WHEN, user: {}, people, journalEntries })
}

const NAMETAG: Readonly<Record<string, MakeFile>> = {
  people: (count) => nametag(many(count, (at) => ({ id: `p${at}`, name: `P ${at}` }))),
  'journal entries of one person': (count) =>
    nametag(
      [{ id: 'p', name: 'Ada' }],
      many(count, (at) => ({
        id: `j${at}`,
        title: `T ${at}`,
        body: 'Text',
        date: WHEN,
        peopleIds: ['p'],
      })),
    ),
  'journal entries of no one': (count) =>
    nametag(
      [{ id: 'p', name: 'Ada' }],
      many(count, (at) => ({ id: `j${at}`, title: `T ${at}` })),
    ),
  'people of one entry': (count) =>
    nametag(
      many(count, (at) => ({ id: `p${at}`, name: `P ${at}` })),
      [{ title: 'All', body: '', date: WHEN, peopleIds: many(count, (at) => `p${at}`) }],
    ),
  relationships: (count) => {
    const relationships = many(count, (at) => ({
      relatedPersonId: `p${at}`,
      relatedPersonName: `P ${at}`,
      relationshipType: { name: 'CHILD', label: 'Child' },
      notes: `Remark ${at}`,
    }))
    return nametag([{ id: 'p', name: 'Ada', relationships }])
  },
  'custom fields': (count) =>
    nametag([
      {
        id: 'p',
        name: 'Ada',
        customFields: many(count, (at) => ({ key: `k${at}`, value: `v${at}` })),
      },
    ]),
  groups: (count) =>
    nametag([{ id: 'p', name: 'Ada', groups: many(count, (at) => `Group ${at}`) }]),
}

function contrack(contacts: readonly object[], more: object = {}): string {
  return JSON.stringify({ exportedAt: WHEN, version: 1, contacts, ...more })
}

const NORA = { id: 'k', name: 'Nora', lastContactedAt: DAY }

const CONTRACK: Readonly<Record<string, MakeFile>> = {
  contacts: (count) => contrack(many(count, (at) => ({ ...NORA, id: `k${at}`, name: `P ${at}` }))),
  interactions: (count) =>
    contrack([NORA], {
      interactions: many(count, (at) => ({
        id: `n${at}`,
        contactId: 'k',
        type: 'call',
        title: `T ${at}`,
        date: DAY,
      })),
    }),
  notes: (count) =>
    contrack([NORA], {
      interactions: many(count, (at) => ({
        id: `n${at}`,
        contactId: 'k',
        type: 'note',
        title: `T ${at}`,
      })),
    }),
  'action items': (count) =>
    contrack([NORA], {
      actionItems: many(count, (at) => ({
        id: `q${at}`,
        contactId: 'k',
        title: `T ${at}`,
        dueAt: DAY,
      })),
    }),
  emails: (count) =>
    contrack([
      { ...NORA, emails: many(count, (at) => ({ email: `p${at}@x.org`, label: 'work' })) },
    ]),
  'long texts': (count) =>
    contrack([
      { ...NORA, about: 'word '.repeat(count), experience: [{ company: 'x '.repeat(count) }] },
    ]),
  attributes: (count) =>
    contrack([{ ...NORA, attributes: many(count, (at) => ({ name: `a${at}`, value: `v${at}` })) }]),
  positions: (count) =>
    contrack([
      {
        ...NORA,
        experience: many(count, (at) => ({ company: `C ${at}`, description: `Text ${at}` })),
      },
    ]),
}

const MEERKAT_CONTACTS = '=== CONTACTS ===\nID,Firstname,Lastname,Created At\n'

const MEERKAT: Readonly<Record<string, MakeFile>> = {
  contacts: (count) => MEERKAT_CONTACTS + many(count, (at) => `${at},P,${at},${WHEN}\n`).join(''),
  'activities of one name': (count) =>
    [
      MEERKAT_CONTACTS,
      ...many(count, (at) => `${at},Cem,Kaya,${WHEN}\n`),
      '\n=== ACTIVITIES ===\nID,Title,Date,Contact Names\n',
      ...many(count, (at) => `${at},T ${at},${WHEN},Cem Kaya; Cem Kaya\n`),
    ].join(''),
  notes: (count) =>
    [
      `${MEERKAT_CONTACTS}1,Cem,Kaya,${WHEN}\n`,
      '\n=== NOTES ===\nID,Contact ID,Content,Date\n',
      ...many(count, (at) => `${at},1,Note ${at},${WHEN}\n`),
    ].join(''),
  reminders: (count) =>
    [
      `${MEERKAT_CONTACTS}1,Cem,Kaya,${WHEN}\n`,
      '\n=== REMINDERS ===\nID,Contact ID,Message,Remind At,Recurrence\n',
      ...many(count, (at) => `${at},1,Call ${at},${WHEN},once\n`),
    ].join(''),
  sections: (count) =>
    `${MEERKAT_CONTACTS}1,Cem,Kaya,${WHEN}\n${'\n=== NOTES ===\nID,Contact ID,Content\n1,1,Text\n'.repeat(count)}`,
  columns: (count) =>
    `=== CONTACTS ===\nID,Firstname,${many(count, (at) => `f${at}`).join(',')}\n1,Cem,${many(count, String).join(',')}\n`,
}

function weft(records: readonly object[]): string {
  return `[\n${records.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`
}

const WEFT: Readonly<Record<string, MakeFile>> = {
  connections: (count) =>
    weft(many(count, (at) => ({ connection_id: `c_${at + 1}`, name: `P ${at}` }))),
  notes: (count) =>
    weft([
      { connection_id: 'c_1', name: 'P', notes: many(count, (at) => ({ text: `Note ${at}` })) },
    ]),
  interactions: (count) =>
    weft([
      {
        connection_id: 'c_1',
        name: 'P',
        interactions: many(count, (at) => ({
          interaction_id: `i_${at}`,
          kind: 'call',
          on: DAY,
          subject: `S ${at}`,
        })),
      },
    ]),
  'different people': (count) =>
    weft([
      ...many(count, (at) => ({
        connection_id: `c_${at + 1}`,
        name: `P ${at}`,
        different_from: ['c_0'],
      })),
      { connection_id: 'c_0', name: 'P', different_from: many(count, (at) => `c_${at + 1}`) },
    ]),
}

function card(lines: readonly string[]): string {
  return ['BEGIN:VCARD', 'VERSION:4.0', 'FN:Ada', ...lines, 'END:VCARD', ''].join('\r\n')
}

const VCARD: Readonly<Record<string, MakeFile>> = {
  cards: (count) => many(count, (at) => card([`UID:${at}`, `EMAIL:p${at}@x.org`])).join(''),
  emails: (count) => card(many(count, (at) => `EMAIL:p${at}@x.org`)),
  groups: (count) =>
    card(many(count, (at) => `item${at}.TEL:+49 30 ${at}\r\nitem${at}.X-ABLabel:L ${at}`)),
  properties: (count) => card(many(count, (at) => `X-P${at}:v${at}`)),
  members: (count) => card(['KIND:group', ...many(count, (at) => `MEMBER:urn:uuid:${at}`)]),
  relations: (count) => card(many(count, (at) => `RELATED;TYPE=child;VALUE=text:P ${at}`)),
  'folded lines': (count) => card([`NOTE:a${'\r\n b'.repeat(count)}`]),
}

const CSV: Readonly<Record<string, MakeFile>> = {
  rows: (count) => `Name,Email\n${many(count, (at) => `P ${at},p${at}@x.org\n`).join('')}`,
  columns: (count) =>
    `Name,${many(count, (at) => `C${at}`).join(',')}\nAda,${many(count, String).join(',')}\n`,
  'people of one cell': (count) =>
    `Name,Email\n${many(count, (at) => `P ${at}`).join('; ')},${many(count, (at) => `p${at}@x.org`).join('; ')}\n`,
  tags: (count) => `Name,Tags\nAda,"${many(count, (at) => `t${at}`).join(', ')}"\n`,
  'broken quotes': (count) => `Name,Email\n${'"Ada,a@x.org\n'.repeat(count)}`,
  recipients: (count) => many(count, (at) => `P ${at} <p${at}@x.org>`).join(', '),
}

const OTHERS: Readonly<Record<string, MakeFile>> = {
  'LDIF entries': (count) =>
    many(
      count,
      (at) => `dn: cn=P ${at}\nobjectclass: person\ncn: P ${at}\nmail: p${at}@x.org\n\n`,
    ).join(''),
  'jCard cards': (count) =>
    JSON.stringify(
      many(count, (at) => [
        'vcard',
        [
          ['fn', {}, 'text', `P ${at}`],
          ['email', {}, 'text', `p${at}@x.org`],
        ],
      ]),
    ),
  'JSON objects': (count) =>
    JSON.stringify(many(count, (at) => ({ name: `P ${at}`, email: `p${at}@x.org` }))),
  'JSON keys': (count) =>
    JSON.stringify([
      { name: 'Ada', email: 'a@x.org', ...Object.fromEntries(many(count, (at) => [`k${at}`, at])) },
    ]),
  'files of a zip': (count) =>
    zipOf(many(count, (at) => ({ name: `p${at}.vcf`, content: card([`UID:${at}`]) }))),
  'messages of LinkedIn': (count) => {
    const url = 'https://www.linkedin.com/in/ada'
    const messages = many(
      count,
      (at) =>
        `c${at},t,Ada,${url},Me,https://www.linkedin.com/in/me,2024-05-06 10:00:00 UTC,s,Hello\n`,
    )
    return zipOf([
      { name: 'Connections.csv', content: `First Name,Last Name,URL\nAda,Lee,${url}\n` },
      {
        name: 'messages.csv',
        content: `CONVERSATION ID,CONVERSATION TITLE,FROM,SENDER PROFILE URL,TO,RECIPIENT PROFILE URLS,DATE,SUBJECT,CONTENT\n${messages.join('')}`,
      },
    ])
  },
  'rows of a workbook': (count) =>
    workbook(
      many(
        count,
        (at) =>
          `<row r="${at + 2}"><c r="A${at + 2}" t="inlineStr"><is><t>P ${at}</t></is></c></row>`,
      ).join(''),
    ),
}

function workbook(rows: string): Buffer {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const head = '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c></row>'
  return zipOf([
    { name: '[Content_Types].xml', content: '<Types/>' },
    {
      name: 'xl/workbook.xml',
      content: `<workbook ${main} xmlns:r="${relations}"><sheets><sheet name="P" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<worksheet ${main}><sheetData>${head}${rows}</sheetData></worksheet>`,
    },
  ])
}

const FORMATS = { MONICA, NAMETAG, CONTRACK, MEERKAT, WEFT, VCARD, CSV, OTHERS }

export const FILES: ReadonlyMap<string, MakeFile> = new Map(
  Object.entries(FORMATS).flatMap(([format, kinds]) =>
    Object.entries(kinds).map(
      ([kind, make]) => [`${format.toLowerCase()}: ${kind}`, make] as const,
    ),
  ),
)

/** Reads a file to its end, with the report. Returns the number of its rows. */
export async function readFile(file: string | Buffer): Promise<number> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield typeof file === 'string' ? Buffer.from(file) : file
  }
  const opened = await openContactFile(bytes())
  let rows = 0
  for await (const batch of opened.rowBatches) rows += batch.length
  opened.columns()
  return rows
}

/** For step-growth.ts. */
export const stepReaders = [...FILES].map(([name, make]) => ({
  name,
  read: (parts: number) => readFile(make(parts)).catch(() => 'an error is an answer, too'),
}))
