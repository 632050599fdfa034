import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BLIND_SET } from '../../../bench/search-blind/set.ts'
import { EVERYDAY_SET } from '../../../bench/search-everyday/set.ts'
import { HELD_OUT_SET } from '../../../bench/search-held-out/set.ts'
import { SEARCH_PEOPLE } from '../../../bench/search-set/people.ts'
import { CATEGORIES, QUESTIONS } from '../../../bench/search-set/questions.ts'
import { HELPS, scoreOf } from '../../../bench/support/search-set.ts'
import { isDay } from '../../contact-files/contact/calendar-day.ts'

test('the people in the search benchmark are complete and distinct', () => {
  assert.equal(SEARCH_PEOPLE.length, 300)
  for (const key of ['handle', 'name', 'profileUrl'] as const)
    assert.equal(new Set(SEARCH_PEOPLE.map((person) => person[key])).size, 300, key)
  for (const { handle, title, location, emails, phones, notes, connectedOn } of SEARCH_PEOPLE) {
    for (const values of [title, location, emails[0], phones[0], notes[0]?.text])
      assert.ok(values !== undefined && values !== '', handle)
    for (const day of [connectedOn, ...notes.map(({ on }) => on)]) assert.ok(isDay(day), handle)
    // Top-level domains and numbers that are reserved for examples reach no one.
    for (const email of emails) assert.match(email, /^[^@]+@[^@]+\.example$/)
  }
})

test('all questions in the search benchmark have judgments: people, grades, categories and halves', () => {
  const handles = new Set(SEARCH_PEOPLE.map(({ handle }) => handle))
  assert.ok(QUESTIONS.length >= 150)
  assert.equal(new Set(QUESTIONS.map(({ query }) => query)).size, QUESTIONS.length)
  for (const { query, category, relevant } of QUESTIONS) {
    for (const [handle, grade] of relevant) {
      assert.ok(handles.has(handle), `${query}: ${handle}`)
      assert.ok([1, 2, 3].includes(grade), `${query}: ${grade}`)
    }
    const helping = [...relevant.values()].filter((grade) => grade >= HELPS).length
    assert.equal(helping === 0, category === 'negatives', query)
  }
  for (const category of CATEGORIES) {
    const all = QUESTIONS.filter((question) => question.category === category)
    const heldOut = all.filter(({ isHeldOut }) => isHeldOut)
    assert.ok(all.length >= 8 && all.length - heldOut.length * 2 <= 1, category)
  }
})

test('the blind set names existing people, and halves each category', () => {
  const handles = new Set(BLIND_SET.people.map(({ handle }) => handle))
  assert.equal(handles.size, 150)
  assert.equal(new Set(BLIND_SET.questions.map(({ query }) => query)).size, 160)
  for (const { query, category, relevant } of BLIND_SET.questions) {
    assert.equal(relevant.size === 0, category === 'negatives', query)
    for (const handle of relevant.keys()) assert.ok(handles.has(handle), `${query}: ${handle}`)
  }
  for (const category of BLIND_SET.categories) {
    const all = BLIND_SET.questions.filter((question) => question.category === category)
    const heldOut = all.filter(({ isHeldOut }) => isHeldOut)
    assert.ok([0, 1].includes(all.length - heldOut.length * 2), category)
  }
})

for (const [set, people, questions] of [
  [HELD_OUT_SET, 66, 106],
  [EVERYDAY_SET, 300, 142],
] as const)
  test(`the ${set.name} names existing people, and none of its questions is for tuning`, () => {
    const handles = new Set(set.people.map(({ handle }) => handle))
    assert.equal(handles.size, people)
    assert.equal(new Set(set.questions.map(({ query }) => query)).size, questions)
    for (const { query, category, isHeldOut, relevant } of set.questions) {
      assert.ok(isHeldOut, query)
      assert.equal(relevant.size === 0, category === 'negatives', query)
      for (const handle of relevant.keys()) assert.ok(handles.has(handle), `${query}: ${handle}`)
    }
  })

test('a perfect answer scores 1 and an empty one 0; for a question without an answer the reverse', () => {
  for (const question of QUESTIONS) {
    const best = [...question.relevant].toSorted(([, a], [, b]) => b - a).map(([handle]) => handle)
    const perfect = scoreOf(question, best.slice(0, 10))
    assert.deepEqual(perfect, { recallAt5: 1, ndcgAt10: 1 }, question.query)
    const wrong = scoreOf(question, question.relevant.size === 0 ? ['someone'] : [])
    assert.deepEqual(wrong, { recallAt5: 0, ndcgAt10: 0 }, question.query)
  }
})
