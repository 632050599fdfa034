import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenNames } from '../../names/given-names.ts'
import { companyNames } from './questions/company-aliases.ts'
import { dateLists, wordLists } from './questions/phrases.ts'
import { thesaurus } from './questions/thesaurus.ts'
import { warmUpSearch } from './warm-up.ts'

const NOW = Date.UTC(2026, 10, 21, 12)

test('dictionaries are read and questions asked in many steps, and a rejected pause ends them', async () => {
  let steps = 0
  const stopped = warmUpSearch(NOW, async () => {
    steps += 1
    if (steps === 1000) throw new Error('stopped')
  })
  await assert.rejects(stopped, /stopped/)
  assert.equal(steps, 1000)
  for (const dictionary of [givenNames, thesaurus, wordLists, dateLists, companyNames])
    assert.equal(dictionary.advance(), false)
})
