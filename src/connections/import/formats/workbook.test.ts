import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWhole } from '../../../../test/fixtures/reading.ts'
import { zipOf } from '../../../../test/support/zip.ts'
import { UnreadableFile } from './read-contacts.ts'

const SHEET = 'xl/worksheets/sheet1.xml'

/** A workbook with shared strings, a date format and rows as Excel writes them. */
function workbookOf(
  rows: string,
  { is1904 = false, strings = '', links = [] as readonly string[] } = {},
): Buffer {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  const relations = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
  return zipOf([
    { name: '[Content_Types].xml', content: '<Types/>' },
    {
      name: 'xl/workbook.xml',
      content: `<workbook ${main} ${relations}><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets>
        <sheet name="Hidden" sheetId="2" state="hidden" r:id="rId2"/><sheet name="People" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content:
        '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>',
    },
    { name: 'xl/sharedStrings.xml', content: `<sst ${main}>${strings}</sst>` },
    {
      name: 'xl/styles.xml',
      content: `<styleSheet ${main}><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy;@"/><numFmt numFmtId="165" formatCode="#,##0.00 &quot;days&quot;"/></numFmts>
        <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
    },
    {
      name: SHEET,
      content: `<worksheet ${main}><sheetData>${rows}</sheetData>${linksOf(links)}</worksheet>`,
    },
    {
      name: 'xl/worksheets/_rels/sheet1.xml.rels',
      content: `<Relationships>${relationsOf(links)}</Relationships>`,
    },
    { name: 'xl/worksheets/sheet2.xml', content: `<worksheet ${main}><sheetData/></worksheet>` },
  ])
}

/** Each link as `B2 https://…`. */
function linksOf(links: readonly string[]): string {
  const all = links.map((link, at) => `<hyperlink ref="${link.split(' ')[0]}" r:id="rId${at}"/>`)
  return all.length === 0
    ? ''
    : `<hyperlinks xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${all.join('')}</hyperlinks>`
}

function relationsOf(links: readonly string[]): string {
  return links
    .map(
      (link, at) =>
        `<Relationship Id="rId${at}" Target="${link.split(' ')[1]}" TargetMode="External"/>`,
    )
    .join('')
}

function inline(reference: string, text: string): string {
  return `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`
}

const HEADER = `<row r="1">${inline('A1', 'Name')}${inline('B1', 'Email')}${inline('C1', 'Birthday')}${inline('D1', 'Phone')}</row>`

test('reads a workbook with shared strings, dates, gaps and numbers', async () => {
  const strings =
    '<si><t>Mira &amp; Ben</t></si><si><r><t>mira</t></r><r><t>@holt.example</t></r></si><si><t>山田</t><rPh sb="0" eb="2"><t>ヤマダ</t></rPh></si>'
  const file = await readWhole(
    workbookOf(
      `${HEADER}<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" s="1"><v>31110</v></c><c r="D2"><v>4.91701234567E11</v></c></row>
       <row r="4"><c r="A4" t="s"><v>2</v></c><c r="C4" s="2"><v>45363.5</v></c></row>
       <row r="5">${inline('A5', 'Cleo')}<c r="C5" s="3"><v>12</v></c></row>`,
      { strings },
    ),
  )
  assert.equal(file.format, 'table')
  assert.deepEqual(
    file.rows.map((row) => [row.row, row.line]),
    [
      [1, 2],
      [2, 4],
      [3, 5],
    ],
  )
  assert.deepEqual(
    file.contacts.map(({ name, emails, birthday, phones }) => [name, emails, birthday, phones]),
    [
      ['Mira & Ben', ['mira@holt.example'], '1985-03-04', ['491701234567']],
      ['山田', [], '2024-03-12', []],
      ['Cleo', [], null, []],
    ],
  )
  assert.deepEqual(file.contacts[2]?.details?.custom, [{ field: 'Birthday', value: '12' }])
  assert.deepEqual(
    file.columns.map(({ name, becomes, filled }) => [name, becomes, filled]),
    [
      ['Name', 'name', 3],
      ['Email', 'email', 1],
      ['Birthday', 'birthday', 3],
      ['Phone', 'phone', 1],
    ],
  )
})

test('counts days from 1904 when the workbook says so', async () => {
  const rows = `${HEADER}<row r="2">${inline('A2', 'Mira')}<c r="C2" s="1"><v>29648</v></c></row>`
  const { contacts } = await readWhole(workbookOf(rows, { is1904: true }))
  assert.equal(contacts[0]?.birthday, '1985-03-04')
})

test('finds the header below a title', async () => {
  const rows = `<row r="1">${inline('A1', 'My contacts')}</row><row r="3">${inline('A3', 'Name')}${inline('B3', 'Email')}</row><row r="4">${inline('A4', 'Mira')}</row>`
  assert.equal((await readWhole(workbookOf(rows))).contacts[0]?.name, 'Mira')
})

test('rejects damaged workbooks and those about something else', async () => {
  const refused = (code: string) => (cause: unknown) =>
    cause instanceof UnreadableFile && cause.code === code
  const colors = `<row r="1">${inline('A1', 'Color')}${inline('B1', 'Size')}</row>`
  await assert.rejects(readWhole(workbookOf(colors)), refused('unknown_columns'))
  await assert.rejects(
    readWhole(workbookOf(`${HEADER}<row><c></row>`)),
    refused('spreadsheet_file'),
  )
})

test('targets of hyperlinks that cells do not show are kept', async () => {
  const row = (number: number, name: string, email: string, site: string) =>
    `<row r="${number}">${inline(`A${number}`, name)}${inline(`B${number}`, email)}${inline(`C${number}`, site)}</row>`
  const file = await readWhole(
    workbookOf(
      row(1, 'Name', 'Email', 'Website').replace('</row>', `${inline('D1', 'Blog')}</row>`) +
        row(2, 'Mira Holt', 'm@holt.example', 'Site').replace(
          '</row>',
          `${inline('D2', 'shown.example')}</row>`,
        ) +
        row(3, 'Ben Poe', 'write me', 'poe.example'),
      {
        links: [
          'A2 https://www.linkedin.com/in/mira-holt',
          'B2 mailto:m@holt.example',
          'C2 https://holt.example',
          'B3 mailto:b@poe.example',
          'C3 https://poe.example/',
          'D2 https://shown.example',
        ],
      },
    ),
  )
  const [mira, ben] = file.contacts
  assert.deepEqual(
    [mira?.profileUrl, mira?.emails, mira?.links],
    [
      'https://www.linkedin.com/in/mira-holt',
      ['m@holt.example'],
      ['https://shown.example', 'https://holt.example'],
    ],
  )
  assert.deepEqual([ben?.emails, ben?.links], [['b@poe.example'], ['https://poe.example']])
  assert.deepEqual(
    file.columns.map(({ name, becomes }) => `${name}: ${becomes}`),
    [
      'Name: name',
      'Email: email',
      'Website: url',
      'Blog: url',
      'Name link: url',
      'Email link: email',
      'Website link: url',
    ],
  )
})
