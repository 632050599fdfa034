/** A few odd files must not hold up the imports of others: every reader of contact files takes linear time. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FILES, readFile } from './support/growing-files.ts'
import { superlinearSteps } from './support/step-growth.ts'

for (const [name, make] of FILES)
  test(`${name}: the file is read to its end`, async () => {
    assert.ok((await readFile(make(3))) > 0)
  })

test('no reader of contact files takes more than linear time', async () => {
  const module = new URL('./support/growing-files.ts', import.meta.url).href
  assert.deepEqual(await superlinearSteps(module), [])
})

test('a reader that takes quadratic time is found, whether it repeats its own steps or those of an array', async () => {
  const module = `data:text/javascript,${encodeURIComponent(`
    const texts = (parts) => Array.from({ length: parts }, (_, at) => 'part ' + at)
    export const stepReaders = [
      { name: 'once', read: (parts) => texts(parts).map((one) => one.split(' ')) },
      { name: 'sorted', read: (parts) => texts(parts).toSorted() },
      { name: 'loops', read: (parts) => { let sum = 0; for (const one of texts(parts)) for (const other of texts(parts)) if (one === other) sum += 1 } },
      { name: 'lookups', read: (parts) => { const seen = []; for (const one of texts(parts)) if (!seen.includes(one)) seen.push(one) } },
      { name: 'copies', read: (parts) => texts(parts).reduce((all, one) => all.concat(one), []) },
      { name: 'queue', read: (parts) => { const all = texts(parts); while (all.length > 0) all.shift() } },
      { name: 'searches', read: (parts) => { const text = texts(parts).join(); for (let part = 0; part < parts; part += 1) text.indexOf('|') } },
    ]`)}`
  const found = await superlinearSteps(module)
  assert.deepEqual(found, ['loops', 'lookups', 'copies', 'queue', 'searches'])
})
