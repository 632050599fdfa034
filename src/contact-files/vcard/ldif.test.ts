import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { collect, readWhole, streamOf } from '../../../test/fixtures/reading.ts'
import { ldifText } from './ldif.ts'

test('keeps a value with a line separator', async () => {
  const { contacts } = await readWhole('dn: cn=ann\ncn: Ann Lee\ntitle: CEO\u2028and founder\n')
  assert.equal(contacts[0]?.title, 'CEO and founder')
})

test('reads the same entries however the text is divided into blocks', async () => {
  const piece = fc.constantFrom(
    '\n',
    '\r',
    '\r\n',
    'dn: cn=a',
    'cn: Ann',
    'mail: a@x.org',
    ' ',
    'x',
  )
  const textOf = async (blocks: readonly string[]) =>
    (await collect(ldifText(streamOf(...blocks)))).join('')
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const text = pieces.join('')
      const whole = await textOf([text])
      assert.equal(await textOf(pieces), whole)
      assert.equal(await textOf(Array.from(text)), whole)
    }),
    { examples: [[['\n', '\n', '\n', ' ', 'dn: cn=a']]] },
  )
})
