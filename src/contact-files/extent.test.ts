import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkedinCsv } from '../../test/support/invented.ts'
import { streamOf } from '../../test/fixtures/reading.ts'
import { zipOf } from '../../test/support/zip.ts'
import { openContactFile } from './read-contacts.ts'

const CSV = [...linkedinCsv(3000, 1)].join('')

const ZIP = zipOf([
  { name: 'one.csv', content: CSV },
  { name: 'two.csv', content: 'Not,a,list\nof,contacts,\n' },
  { name: 'three.csv', content: CSV },
])

/** A workbook of many blocks. */
const WORKBOOK = zipOf([
  {
    name: 'xl/workbook.xml',
    content:
      '<workbook><sheets><sheet name="People" sheetId="1" r:id="rId1"/></sheets></workbook>'.replace(
        '<workbook>',
        '<workbook xmlns:r="r">',
      ),
  },
  {
    name: 'xl/_rels/workbook.xml.rels',
    content:
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
  },
  {
    name: 'xl/sharedStrings.xml',
    content: `<sst>${'<si><t>Ann Lee</t></si>'.repeat(10_000)}</sst>`,
  },
  {
    name: 'xl/worksheets/sheet1.xml',
    content: `<worksheet><sheetData><row>${cell('Name')}${cell('Email')}</row>${Array.from(
      { length: 3000 },
      (_, at) => `<row>${cell(`Ann ${at}`)}${cell(`ann${at}@example.org`)}</row>`,
    ).join('')}</sheetData></worksheet>`,
  },
])

function cell(text: string): string {
  return `<c t="inlineStr"><is><t>${text}</t></is></c>`
}

for (const [kind, bytes] of [
  ['zip', ZIP],
  ['workbook', WORKBOOK],
] as const)
  test(`a ${kind} tells how much of it has been read, from its first row to its last`, async () => {
    const { extent, rowBatches } = await openContactFile(streamOf(bytes))
    assert.ok(extent && extent.total > 100_000)
    const shares = [extent.read / extent.total]
    for await (const _ of rowBatches) shares.push(extent.read / extent.total)
    assert.ok((shares[0] ?? 1) < 0.6, `${shares[0]}`)
    assert.ok(new Set(shares).size > 4, shares.join(' '))
    assert.deepEqual(
      shares.toSorted((a, b) => a - b),
      shares,
    )
    assert.equal(extent.read, extent.total)
  })
