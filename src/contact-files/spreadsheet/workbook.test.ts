import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWhole } from '../../../test/fixtures/reading.ts'
import { zipOf } from '../../../test/support/zip.ts'
import { UnreadableFile } from '../read-contacts.ts'

const SHEET = 'xl/worksheets/sheet1.xml'

/** A workbook with shared strings, a date format and rows as Excel writes them. */
function workbookOf(
  rows: string,
  {
    is1904 = false,
    strings = '',
    links = [] as readonly string[],
    formats = [] as readonly string[],
  } = {},
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
      content: `<styleSheet ${main}><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy;@"/><numFmt numFmtId="165" formatCode="#,##0.00 &quot;days&quot;"/>
        ${formats.map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"/>`).join('')}</numFmts>
        <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/>
        ${formats.map((_, at) => `<xf numFmtId="${200 + at}"/>`).join('')}</cellXfs></styleSheet>`,
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
  assert.deepEqual(file.contacts[2]?.details?.custom, [{ field: 'Birthday', value: '12.00 days' }])
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

test('recognizes the columns of a sheet without a header by their cells', async () => {
  const row = (at: number, cells: string) => `<row r="${at}">${cells}</row>`
  const rows =
    row(1, inline('A1', 'Choir')) +
    row(3, inline('A3', '0171 555 1234') + inline('B3', 'Mira Holt')) +
    row(4, inline('A4', '')) +
    row(5, inline('A5', '030 90 18 20') + inline('B5', 'Ben Poe'))
  const { contacts } = await readWhole(workbookOf(rows))
  assert.deepEqual(
    contacts.map(({ name, phones }) => [name, phones.join()]),
    [
      ['Mira Holt', '0171 555 1234'],
      ['Ben Poe', '030 90 18 20'],
    ],
  )
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

/** Format codes as Excel, Numbers and Google Sheets write them, with a value and what it looks like. */
const SHOWN: readonly (readonly [code: string, value: string, shown: string])[] = [
  ['General', '0.30000000000000004', '0.3'],
  ['General', '4.91701234567E11', '491701234567'],
  ['0%', '0.85', '85%'],
  ['0%', '0.285', '29%'],
  ['0.00%', '-0.0525', '-5.25%'],
  ['0.00', '0.125', '0.13'],
  ['0.00', '12.5', '12.50'],
  ['0.##', '12', '12'],
  ['#,##0', '1234567', '1234567'],
  ['#,##0_);\\(#,##0\\)', '-1234', '-1234'],
  ['00000', '1234', '01234'],
  ['"$"#,##0.00', '1234.5', '$1,234.50'],
  ['"$"#,##0.00', '-1234.5', '-$1,234.50'],
  ['#,##0.00\\ [$€-407]', '1234567.891', '1,234,567.89 €'],
  ['_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', '-5', '$(5.00)'],
  ['[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', '5551234567', '(555) 123-4567'],
  ['[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', '5551234', '555-1234'],
  ['0.0,,"M"', '12345678', '12.3M'],
  ['[Red]0;[Blue]-0', '-5', '-5'],
  ['0.00E+00', '491701234567', '491701234567'],
  ['# ?/?', '0.5', '1/2'],
  ['# ?/?', '-2.5', '-2 1/2'],
  ['# ??/??', '0.3333333333', '1/3'],
  ['#" "?/8', '1.375', '1 3/8'],
  ['?/?', '2.5', '5/2'],
  ['# ?/?', '3', '3'],
  ['#.##0,00', '1234.5', '1234.50'],
  ['#.##0,00\\ "€"', '1234.5', '1,234.50 €'],
  ['[$-407]mmmm', '45363', 'März'],
  ['[$-de-DE]mmm', '45363', 'Mrz'],
  ['mmmm', '45363', 'March'],
  ['[$-40C]dddd', '45363', 'mardi'],
  ['[$-407]d. mmmm yyyy', '45363', '2024-03-12'],
  ['h:mm', '0.395833333333333', '09:30'],
  ['[$-F400]h:mm:ss AM/PM', '0.5', '12:00:00 PM'],
  ['[h]:mm', '1.104166666667', '26:30'],
  ['[mm]:ss', '0.05', '72:00'],
  ['mm:ss', '0.003819444', '05:30'],
  ['m/d/yy h:mm', '45363.395833333', '2024-03-12 09:30'],
  ['yyyy-mm-dd hh:mm:ss', '45363', '2024-03-12'],
  ['d-mmm', '45363', '12 March'],
  ['mmm-yy', '45363', '2024-03'],
  ['yyyy"年"m"月"d"日"', '45363', '2024-03-12'],
  ['m/d/yyyy', '59', '1900-02-28'],
  ['m/d/yyyy', '61', '1900-03-01'],
  // Longer than Excel allows, and slow to read.
  [`0" ${'x'.repeat(255)}"`, '12', '12'],
]

test('shows numbers, money, times and durations as the spreadsheet does', async () => {
  const header = `<row r="1">${inline('A1', 'Name')}${inline('B1', 'Email')}${inline('C1', 'Value')}</row>`
  const rows = SHOWN.map(
    ([, value], at) =>
      `<row r="${at + 2}">${inline(`A${at + 2}`, `Ann ${at}`)}<c r="C${at + 2}" s="${at + 4}"><v>${value}</v></c></row>`,
  )
  const formats = SHOWN.map(([code]) => code)
  const { contacts } = await readWhole(workbookOf(header + rows.join(''), { formats }))
  assert.deepEqual(
    contacts.map(({ details }) => details?.custom?.[0]?.value),
    SHOWN.map(([, , shown]) => shown),
  )
})

test('reads the results of formulas, booleans, escaped characters, and the targets of link formulas', async () => {
  const header = `<row r="1">${['Name', 'Notes', 'VIP', 'Profile', 'Score'].map((name, at) => inline(`${'ABCDE'[at]}1`, name)).join('')}</row>`
  const row = `<row r="2"><c r="A2" t="str"><f>B2&amp;" "&amp;C2</f><v>Ann Lee</v></c>
    <c r="B2" t="inlineStr"><is><r><t>One_x000D_</t></r><r><t xml:space="preserve">
two _x005F_x0041_</t></r></is></c><c r="C2" t="b"><v>1</v></c>
    <c r="D2" t="str"><f>HYPERLINK("https://www.linkedin.com/in/ann-lee","Open")</f><v>Open</v></c>
    <c r="E2" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>`
  const { contacts } = await readWhole(workbookOf(header + row))
  const [contact] = contacts
  assert.equal(contact?.name, 'Ann Lee')
  assert.equal(contact.note, 'One\ntwo _x0041_')
  assert.equal(contact.profileUrl, 'https://www.linkedin.com/in/ann-lee')
  assert.deepEqual(contact.details?.custom, [
    { field: 'Profile', value: 'Open' },
    { field: 'VIP', value: 'TRUE' },
  ])
})
