import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureQuality, prepareSearch } from '../../../bench/retrieval.ts'
import { HELD_OUT, TUNING } from '../../../bench/retrieval-set.ts'
import { createStore } from '../../../test/support/store.ts'
import { demoPeople } from '../demo/people.ts'

test('every name in the judgments matches exactly one demo person', () => {
  const names = new Map<string, number>()
  for (const { name, title } of demoPeople())
    for (const key of [name, `${name}, ${title ?? ''}`]) names.set(key, (names.get(key) ?? 0) + 1)
  const questions = [...TUNING, ...HELD_OUT]
  assert.ok(demoPeople().length >= 200 && questions.length >= 60)
  for (const { query, relevant } of questions)
    for (const name of Object.keys(relevant)) assert.equal(names.get(name), 1, `${query}: ${name}`)
})

test('combined search finds more than keyword search and semantic search', async (t) => {
  await using store = await createStore()
  const search = await prepareSearch(store)
  for (const [name, questions] of Object.entries({ TUNING, HELD_OUT })) {
    const keyword = await measureQuality(search, questions, 'keyword')
    const semantic = await measureQuality(search, questions, 'semantic')
    const auto = await measureQuality(search, questions, 'auto')
    t.diagnostic(`${name}: ${JSON.stringify({ keyword, semantic, auto })}`)
    for (const measure of ['recallAt5', 'ndcgAt10'] as const) {
      assert.ok(auto[measure] > keyword[measure], `${name} ${measure}`)
      assert.ok(auto[measure] > semantic[measure], `${name} ${measure}`)
    }
  }
  // The measured values, with some tolerance for changes to demo notes.
  assert.ok((await measureQuality(search, HELD_OUT, 'auto')).recallAt5 > 0.7)
})
