import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { recipientRecords } from './recipients.ts'

async function textOf(...blocks: readonly string[]): Promise<string> {
  async function* all() {
    yield* blocks
  }
  const lines: string[] = []
  for await (const records of recipientRecords(all()))
    lines.push(...records.map(({ cells }) => `${JSON.stringify(cells)}\n`))
  return lines.join('')
}

const anyPart = fc.constantFrom(
  'Ann Lee <ann@lee.example>',
  '"Poe, Ben" <ben@poe.example>',
  'x@y.example',
  '"',
)
const anySeparator = fc.constantFrom(', ', ';', '\r\n', '\n')

test('recipients are the same however the text is split into blocks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anyPart, anySeparator), { maxLength: 8 }),
      fc.array(fc.nat(200), { maxLength: 4 }),
      async (parts, places) => {
        const text = parts.flat().join('')
        const ends = [...places.toSorted((one, other) => one - other), text.length]
        const blocks = ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end))
        assert.equal(await textOf(...blocks), await textOf(text))
      },
    ),
  )
})

test('an unpaired quotation mark takes in the rest of its line, but not of the text', async () => {
  assert.equal(
    await textOf('"Poe, Ben <ben@poe.example>\nAnn Lee <ann@lee.example>'),
    '["\\"Poe, Ben","ben@poe.example"]\n["Ann Lee","ann@lee.example"]\n',
  )
})

test('a part without an end is no longer than a block and a bit', async () => {
  const block = 'a'.repeat(9000)
  const lines = (await textOf('"', ...Array.from({ length: 20 }, () => block))).split('\n')
  assert.ok(lines.length > 8)
  assert.ok(Math.max(...lines.map(({ length }) => length)) < 20_000)
})
