import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HELPS, scoreOf } from '../../../bench/search/score.ts'
import { OWN_SET, SETS } from '../../../bench/search/sets.ts'

test('the questions of every search set have judgments: existing people, grades and categories', () => {
  for (const { name: set, people, questions, categories } of SETS) {
    const handles = new Set(people.map(({ handle }) => handle))
    assert.equal(handles.size, people.length, set)
    assert.ok(people.length > 60 && questions.length > 60, set)
    assert.equal(new Set(questions.map(({ query }) => query)).size, questions.length, set)
    for (const { query, category, relevant } of questions) {
      assert.ok(categories.includes(category), `${set}: ${query}`)
      for (const [handle, grade] of relevant) {
        assert.ok(handles.has(handle), `${set}: ${query}: ${handle}`)
        assert.ok([1, 2, 3].includes(grade), `${set}: ${query}: ${grade}`)
      }
      const helping = [...relevant.values()].filter((grade) => grade >= HELPS).length
      assert.equal(helping === 0, category === 'negatives', `${set}: ${query}`)
    }
  }
})

test('half of the questions of a set that the search was built with are held out, in each category', () => {
  for (const category of OWN_SET.categories) {
    const all = OWN_SET.questions.filter((question) => question.category === category)
    const heldOut = all.filter(({ isHeldOut }) => isHeldOut)
    assert.ok(all.length >= 8 && all.length - heldOut.length * 2 <= 1, category)
  }
})

test('a perfect answer scores 1 and an empty one 0; for a question without an answer the reverse', () => {
  for (const question of OWN_SET.questions) {
    const best = [...question.relevant].toSorted(([, a], [, b]) => b - a).map(([handle]) => handle)
    const perfect = scoreOf(question, best.slice(0, 10))
    assert.deepEqual(perfect, { recallAt5: 1, ndcgAt10: 1 }, question.query)
    const wrong = scoreOf(question, question.relevant.size === 0 ? ['someone'] : [])
    assert.deepEqual(wrong, { recallAt5: 0, ndcgAt10: 0 }, question.query)
  }
})
