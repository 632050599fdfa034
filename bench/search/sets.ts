/**
 * The sets of the search benchmark: invented people, and questions with the people who answer them (decisions/0027). Each
 * is a folder of `data/`. Where nothing else is said, the authors had read neither the search nor its word lists nor
 * the other sets. Dates suppose that today is in November 2026.
 */

import { readFileSync } from 'node:fs'
import { demoPeople, type DemoPerson } from '../../src/connections/demo/demo-people.ts'
import { readQuestions, readSearchSet, setOf, type StoredPerson } from './read-set.ts'
import type { SearchQuestion, SearchSet, SetPerson } from './score.ts'

/** 300 people and 154 questions that the search was built with. Some people are composed from lists. */
export const OWN_SET = readSearchSet('own')

/** The 200 people of the demo account. Judged by their content, before the search was tuned. */
export const DEMO_SET = setOf('demo', storedDemoPeople(), readQuestions('demo'))

/** 150 people of ten trades. */
export const BLIND_SET = readSearchSet('blind')

/** 66 people, and questions of kinds that the search missed when they were written: identifiers, initials, apostrophes. */
export const HELD_OUT_SET = readSearchSet('held-out')

/** What a salesperson, a recruiter, a founder, a doctoral student and a parent ask about 300 people. */
export const EVERYDAY_SET = readSearchSet('everyday')

/** 40 of 80 questions have no answer. */
const UNSEEN_SET = readSearchSet('unseen')

/** 40 of 100 questions have no answer. Written after reading the decisions about the search. */
const FRESH_SET = readSearchSet('fresh')

/** 2,295 people of many countries, and 301 questions in twelve languages, 147 of them in the words that members type. */
const MEMBERS_SET = readSearchSet('members')

/**
 * 300 people and 64 questions in eleven languages, and 64 queries of everyday life. Easier than the others: most share a word
 * with the answer. The author had read the words for relatives.
 */
const NEIGHBORS_SET = readSearchSet('neighbors')

/**
 * 552 people of a family and its company, 224 questions in ten languages of which most share no word with the answer, and 171
 * short queries of everyday life.
 */
const HOUSEHOLD_SET = readSearchSet('household')

/** 60 people, companies and trades that are not among the people of the household set, and 60 that are. */
const ABSENT_SET: SearchSet = {
  ...HOUSEHOLD_SET,
  name: 'absent set',
  questions: readQuestions('absent'),
  categories: ['negatives', 'names', 'companies and places', 'trades'],
}

function storedDemoPeople(): StoredPerson[] {
  const people = demoPeople()
  const counts = Map.groupBy(people, ({ name }) => name)
  return people.map((person) => storedPersonOf(person, counts.get(person.name)?.length === 1))
}

/** Identified by name, and by title where two share a name. */
function storedPersonOf(person: DemoPerson, isUnique: boolean): StoredPerson {
  const { name, title, company, profileUrl, notes } = person
  return {
    id: isUnique ? name : `${name}, ${title ?? ''}`,
    name,
    given: person.givenName,
    family: person.familyName,
    ...(title !== null && { title }),
    ...(company !== null && { company }),
    location: person.location,
    emails: person.emails,
    phones: person.phones,
    ...(profileUrl !== null && { url: profileUrl }),
    met: person.connectedOn,
    tags: person.tags,
    notes: notes.map(({ on, text }) => [on, text] as const),
  }
}

interface WrittenName {
  readonly script: string
  readonly own: string
  readonly latin: string
}

/** 140 names in seven scripts, each also in Latin letters, among people of the everyday set. */
const NAMES: readonly WrittenName[] = readFileSync(
  new URL('data/scripts/names.txt', import.meta.url),
  'utf8',
)
  .split(/^\[/m)
  .slice(1)
  .flatMap((section) => {
    const [script = '', ...lines] = section.split(/\]?\n/)
    return lines.flatMap((line) => {
      const [own, latin] = line.split(' = ')
      return own === undefined || latin === undefined ? [] : [{ script, own, latin }]
    })
  })

type Spelling = (name: WrittenName) => string

function scriptSet(name: string, stored: Spelling, asked: Spelling): SearchSet {
  const names = NAMES.map((one, at) => ({ handle: `s${at}`, ...one }))
  return {
    name,
    people: [
      ...names.map((one) => namedPerson(one.handle, stored(one))),
      // People without a story of their own.
      ...EVERYDAY_SET.people.filter(({ handle }) => /^b\d+$/.test(handle)),
    ],
    customFields: EVERYDAY_SET.customFields,
    questions: names.map((one) => nameQuestion(one.handle, one.script, asked(one))),
    categories: [...new Set(NAMES.map(({ script }) => script))],
  }
}

function namedPerson(handle: string, name: string): SetPerson {
  return { handle, values: { name }, notes: [], document: { name } }
}

function nameQuestion(handle: string, category: string, query: string): SearchQuestion {
  return { category, isHeldOut: true, query, relevant: new Map([[handle, 3]]) }
}

export const SETS: readonly SearchSet[] = [
  OWN_SET,
  DEMO_SET,
  BLIND_SET,
  HELD_OUT_SET,
  EVERYDAY_SET,
  UNSEEN_SET,
  FRESH_SET,
  MEMBERS_SET,
  NEIGHBORS_SET,
  HOUSEHOLD_SET,
  ABSENT_SET,
  scriptSet(
    'stored in their script',
    ({ own }) => own,
    ({ latin }) => latin,
  ),
  scriptSet(
    'asked for in their script',
    ({ latin }) => latin,
    ({ own }) => own,
  ),
]
