/** Finds the name that was probably meant: for “did you mean” in errors. */

import { editDistance } from './edit-distance.ts'

/** Words that callers use for the same thing. */
const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    contact: 'connection',
    contacts: 'connections',
    person: 'connection',
    people: 'connections',
    friend: 'connection',
    q: 'query',
    search: 'query',
    term: 'query',
    keyword: 'query',
    keywords: 'query',
    reminder: 'follow_up',
    reminders: 'follow_ups',
    followup: 'follow_up',
    followups: 'follow_ups',
    task: 'job',
    body: 'text',
    message: 'text',
    count: 'limit',
    max: 'limit',
    size: 'limit',
    page: 'cursor',
    offset: 'cursor',
    token: 'cursor',
    organization: 'company',
    organisation: 'company', // prose-ok: the British spelling
    employer: 'company',
    role: 'title',
    position: 'title',
    city: 'location',
    mail: 'email',
    firstname: 'given_name',
    first: 'given',
    lastname: 'family_name',
    last: 'family',
    date: 'on',
    due: 'due_on',
    label: 'tag',
    labels: 'tags',
    create: 'add',
    new: 'add',
    remove: 'delete',
    edit: 'update',
    change: 'update',
    modify: 'update',
    find: 'search',
    lookup: 'search',
    show: 'get',
    read: 'get',
    fetch: 'get',
    revert: 'undo',
    rollback: 'undo',
  }),
)

/** Below this, a suggestion misleads more often than it helps. */
const MIN_SIMILARITY = 0.5

/** The most similar of the names; undefined if none is similar. */
export function similarName(name: string, names: readonly string[]): string | undefined {
  const scored = names.map((candidate) => ({ candidate, score: similarity(name, candidate) }))
  const best = scored.reduce<(typeof scored)[number] | undefined>(
    (top, next) => (top && top.score >= next.score ? top : next),
    undefined,
  )
  return best && best.score >= MIN_SIMILARITY ? best.candidate : undefined
}

/** From 0 to 1: the higher of the word similarity and the spelling similarity. */
function similarity(name: string, candidate: string): number {
  const [wanted, words] = [wordsOf(name), wordsOf(candidate)]
  const meant = wanted.flatMap((word) => (SYNONYMS.get(word) ?? word).split('_'))
  return Math.max(
    common(wanted, words),
    0.95 * common(meant, words),
    spelling(wanted.join('_'), words.join('_')),
  )
}

/**
 * `connectionId`, `connection-id` and `Connection ID` have the same words as `connection_id`. At most eight are
 * compared.
 */
function wordsOf(name: string): string[] {
  return name
    .slice(0, 80)
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
    .slice(0, 8)
}

/** Dice coefficient of two lists of words; singular and plural are the same word. */
function common(some: readonly string[], others: readonly string[]): number {
  const [one, other] = [new Set(some.map(singular)), new Set(others.map(singular))]
  return (2 * one.intersection(other).size) / (one.size + other.size || 1)
}

function singular(word: string): string {
  return word.length > 2 && word.endsWith('s') ? word.slice(0, -1) : word
}

function spelling(one: string, other: string): number {
  const longest = Math.max(one.length, other.length)
  return longest === 0 ? 0 : 1 - editDistance(one, other, longest) / longest
}
