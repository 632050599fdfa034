/**
 * 140 names in seven scripts, each also in Latin letters, among the people of the everyday set who have no story of their
 * own (decisions/0027). In one set the names are stored in their script and searched for in Latin letters, in the other
 * the other way around.
 */

import { readFileSync } from 'node:fs'
import { EVERYDAY_SET } from '../search-everyday/set.ts'
import type { SearchQuestion, SearchSet, SetPerson } from '../support/search-set.ts'

interface WrittenName {
  readonly script: string
  readonly own: string
  readonly latin: string
}

const NAMES: readonly WrittenName[] = readFileSync(new URL('names.txt', import.meta.url), 'utf8')
  .split(/^\[/m)
  .slice(1)
  .flatMap((section) => {
    const [script = '', ...lines] = section.split(/\]?\n/)
    return lines.flatMap((line) => {
      const [own, latin] = line.split(' = ')
      return own === undefined || latin === undefined ? [] : [{ script, own, latin }]
    })
  })

export const SCRIPT_SETS: readonly SearchSet[] = [
  setOf(
    'stored in their script',
    ({ own }) => own,
    ({ latin }) => latin,
  ),
  setOf(
    'asked for in their script',
    ({ latin }) => latin,
    ({ own }) => own,
  ),
]

type Spelling = (name: WrittenName) => string

function setOf(title: string, stored: Spelling, asked: Spelling): SearchSet {
  const names = NAMES.map((name, at) => ({ handle: `s${at}`, ...name }))
  return {
    name: title,
    people: [
      ...names.map((name) => personOf(name.handle, stored(name))),
      ...EVERYDAY_SET.people.filter(({ handle }) => /^b\d+$/.test(handle)),
    ],
    customFields: EVERYDAY_SET.customFields,
    questions: names.map((name) => questionOf(name.handle, name.script, asked(name))),
    categories: [...new Set(NAMES.map(({ script }) => script))],
  }
}

function personOf(handle: string, name: string): SetPerson {
  return { handle, values: { name }, notes: [], document: { name } }
}

function questionOf(handle: string, category: string, query: string): SearchQuestion {
  return { category, isHeldOut: true, query, relevant: new Map([[handle, 3]]) }
}
