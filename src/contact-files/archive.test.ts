import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWhole, streamOf } from '../../test/fixtures/reading.ts'
import { zipOf } from '../../test/support/zip.ts'
import { openContactFile, UnreadableFile } from './read-contacts.ts'

const CONNECTIONS =
  'First Name,Last Name,URL,Email Address,Company,Position,Connected On\nMira,Holt,,,Northwind,CEO,12 Mar 2024\n'
const CARD = 'BEGIN:VCARD\nVERSION:3.0\nFN:Mira Holt\nEMAIL:m@holt.example\nEND:VCARD\n'
const OTHER = 'BEGIN:VCARD\nVERSION:3.0\nFN:Ben Poe\nEND:VCARD\n'

/** An Excel workbook with one sheet of texts. */
function workbookOf(rows: readonly (readonly string[])[]): Buffer {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const sheet = rows.map((cells) => `<row>${cells.map(cell).join('')}</row>`).join('')
  return zipOf([
    {
      name: 'xl/workbook.xml',
      content: '<workbook><sheets><sheet name="People" r:id="r1"/></sheets></workbook>',
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content:
        '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    },
  ])
}

const PEOPLE = workbookOf([
  ['Name', 'Email', 'Shirt'],
  ['Cy Roe', 'cy@roe.example', 'M'],
])

test('a zip with workbooks, tables and vCards in folders: all are read', async () => {
  const { contacts, rejected, columns } = await readWhole(
    zipOf([
      { name: 'backup/2026/tables/a.csv', content: 'Name,Email\nAnn Lee,ann@lee.example\n' },
      { name: 'backup/2026/sheets/People.XLSX', content: PEOPLE },
      { name: 'backup/cards/b.vcf', content: CARD },
    ]),
  )
  assert.deepEqual(contacts.map(({ name }) => name).toSorted(), ['Ann Lee', 'Cy Roe', 'Mira Holt'])
  assert.deepEqual(rejected, [])
  assert.ok(columns.some(({ name, filled }) => name === 'Shirt' && filled === 1))
  const alone = await readWhole(zipOf([{ name: 'a/people.xlsx', content: PEOPLE }]))
  assert.deepEqual(
    alone.contacts.map(({ name }) => name),
    ['Cy Roe'],
  )
})

test("a LinkedIn archive to which someone added a workbook and cards: they are read, LinkedIn's other tables are not", async () => {
  const { contacts } = await readWhole(
    zipOf([
      { name: 'LinkedIn/Connections.csv', content: CONNECTIONS },
      { name: 'LinkedIn/Profile.csv', content: 'First Name,Last Name\nAda,Byron\n' },
      { name: 'more/people.xlsx', content: PEOPLE },
      { name: 'more/ben.vcf', content: OTHER },
    ]),
  )
  assert.deepEqual(contacts.map(({ name }) => name).toSorted(), ['Ben Poe', 'Cy Roe', 'Mira Holt'])
})

test('files that systems and programs add to a folder are ignored', async () => {
  const people = { name: 'x/people.csv', content: 'Name,Email\nAnn Lee,ann@lee.example\n' }
  const { contacts, rejected } = await readWhole(
    zipOf([
      { name: '__MACOSX/x/._people.csv', content: 'Name,Email\nNo One,no@one.example\n' },
      { name: 'x/__MACOSX/people.csv', content: 'Name,Email\nNo One,no@one.example\n' },
      { name: 'x/._people.csv', content: Buffer.from([0, 5, 22, 7, 0, 2, 0, 0]) },
      { name: 'x/.old/people.csv', content: 'Name,Email\nNo One,no@one.example\n' },
      { name: 'x/~$people.xlsx', content: 'Ann' },
      { name: 'x/.DS_Store', content: 'Bud1' },
      people,
    ]),
  )
  assert.deepEqual([contacts.map(({ name }) => name), rejected], [['Ann Lee'], []])
})

test('files of a zip that cannot be read are reported by name, wherever they are in it', async () => {
  const old = Buffer.from('d0cf11e0a1b11ae1', 'hex')
  const document = zipOf([{ name: 'mimetype', content: 'application/vnd.oasis' }])
  const people = { name: 'people.csv', content: 'Name,Email\nAnn Lee,ann@lee.example\nBo Ek,\n' }
  const tasks = { name: 'tasks.csv', content: 'Task,Due\nWash,Friday\n' }
  const { rows, rejected } = await readWhole(
    zipOf([
      tasks,
      people,
      { name: 'empty.csv', content: '' },
      { name: 'readme.txt', content: 'Name, email and more of my friends\n' },
      { name: 'old/list.xls', content: old },
      { name: 'list.ods', content: document },
    ]),
  )
  assert.deepEqual(
    rows.map(({ row }) => row),
    [1, 2, 3, 4, 5],
  )
  assert.deepEqual(
    rejected.map((reason) => reason.slice(0, reason.indexOf(': '))),
    ['tasks.csv', 'old/list.xls', 'list.ods'],
  )
  assert.match(rejected[1] ?? '', /save it as CSV/)
  const text = { name: 'web.xls', content: 'Name\tEmail\nAnn Lee\tann@lee.example\n' }
  assert.equal((await readWhole(zipOf([text]))).contacts[0]?.name, 'Ann Lee')
  await assert.rejects(
    readWhole(zipOf([{ name: 'list.xls', content: old }])),
    (cause) => cause instanceof UnreadableFile && cause.code === 'spreadsheet_file',
  )
})

test("Weft's own export is recognized when it was zipped again in a folder", async () => {
  const record = JSON.stringify({ connection_id: 'c_1', name: 'Ann Lee', deleted_at: null })
  const { contacts, rows } = await readWhole(
    zipOf([
      { name: 'weft-ada/profile.json', content: '{}' },
      { name: 'weft-ada/connections.vcf', content: 'BEGIN:VCARD\nFN:Ann Lee\nEND:VCARD\n' },
      { name: 'weft-ada/connections.csv', content: 'Name,Email\nAnn Lee,\n' },
      { name: 'weft-ada/connections.json', content: `[\n${record}\n]\n` },
    ]),
  )
  assert.equal(contacts.length, 1)
  assert.equal(rows[0] && 'record' in rows[0] && rows[0].record, 'c_1')
})

test('the report of an export of Weft names its first hundred files', async () => {
  const others = Array.from({ length: 300 }, (_, at) => ({
    name: `${'x'.repeat(1000)}${at}.json`,
    content: '[]',
  }))
  const own = ['connections.json', 'connections.vcf', 'profile.json']
  const zip = zipOf([...own.map((name) => ({ name, content: '[]\n' })), ...others])
  const { settings } = await openContactFile(streamOf(zip))
  const files = settings?.files ?? []
  assert.deepEqual([files.length, files.at(-1)?.name], [101, '203 more files'])
  assert.ok(files.every(({ name }) => name.length <= 200))
  const uses = files.slice(0, 3).map(({ name, use }) => `${name} ${use}`)
  assert.deepEqual(uses, [
    'connections.json restored',
    'connections.vcf repeated',
    'profile.json not_restored',
  ])
})
