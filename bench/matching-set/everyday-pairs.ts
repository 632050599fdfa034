/**
 * Written pairs of records as people meet them (`everyday.txt`, and `household.txt` of another author, both held out).
 * Every other pair of `acquaintances.txt` is held out.
 *
 * A line of a file is `same: record = record` or `different: record = record`, and a record is
 * `Given/Family | email a@x.org | phone +1 212 555 0100 | company Acme | title Clerk | city Rome | born 1980-02-03 |
 * in ann-lee`. A name without a slash is in the field of the given name, or in `household.txt` a whole name; `in` is a LinkedIn
 * profile.
 */

import { readFileSync } from 'node:fs'
import { person, profile } from './written-people.ts'
import type { LabelledPair } from './pairs.ts'
import type { Part } from './records.ts'
import type { Matchable } from '../../src/identity/match-person.ts'

export function everydayPairs(): readonly LabelledPair[] {
  return [...pairsIn('everyday', readRecord), ...pairsIn('household', readWhole)]
}

export function acquaintancePairs(part: Part): readonly LabelledPair[] {
  const pairs = pairsIn('acquaintances', readWhole)
  return pairs.filter((_, index) => index % 2 === (part === 'tuning' ? 0 : 1))
}

/** A record whose file has one column for the name. */
function readWhole(text: string): Matchable {
  return { ...readRecord(text), givenName: null, familyName: null }
}

function pairsIn(file: string, read: (text: string) => Matchable): readonly LabelledPair[] {
  const text = readFileSync(new URL(`${file}.txt`, import.meta.url), 'utf8')
  return text
    .split(/^# /m)
    .slice(1)
    .flatMap((block) => {
      const [category = '', ...lines] = block.trim().split('\n')
      return lines.map((line) => readPair(`${file}: ${category}`, line, read))
    })
}

function readPair(category: string, line: string, read: (text: string) => Matchable): LabelledPair {
  const [, label, one = '', other = ''] = /^(same|different): (.+) = (.+)$/.exec(line) ?? []
  if (label === undefined) throw new Error(`not a pair: ${line}`)
  return { category, isSame: label === 'same', one: read(one), other: read(other) }
}

function readRecord(text: string): Matchable {
  const [name = '', ...parts] = text.split(' | ')
  const fields = new Map(parts.map((part) => [part.split(' ')[0], part.replace(/^\w+ /, '')]))
  const list = (field: string) => fields.get(field)?.split(', ') ?? []
  const slug = fields.get('in')
  return person(name, {
    emails: list('email'),
    phones: list('phone'),
    company: fields.get('company') ?? null,
    title: fields.get('title') ?? null,
    location: fields.get('city') ?? null,
    birthday: fields.get('born') ?? null,
    profileUrl: slug === undefined ? null : profile(slug),
  })
}
