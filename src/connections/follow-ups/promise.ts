/** Tells who made a promise, if the text of a follow-up says so in English or German. */

import { readDataSections } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'
import { tokenize } from '../../base/tokenize.ts'

/** `name`: of the person of the follow-up. Undefined for a text that only says what to do. */
export function promisedBy(text: string, name: string | null): 'me' | 'them' | undefined {
  const { waiting, me, them, have, promise } = words()
  const said = tokenize(text.slice(0, MAX_READ))
  if (waiting.some((phrase) => `${said.join(' ')} `.startsWith(`${phrase} `))) return 'them'
  const [subject = '', ...others] = said
  const [first, ...names] = tokenize(name ?? '')
  const isThem = them.has(subject) || subject === first
  if (!isThem && !me.has(subject)) return undefined
  const verb = isThem ? others.findIndex((word) => !names.includes(word)) : 0
  const rest = others.slice(Math.max(verb, 0))
  // In German, the verb of a promise can be the last word.
  const verbs = have.has(rest[0] ?? '') ? rest : rest.slice(0, 2)
  if (!verbs.some((word) => promise.has(word))) return undefined
  return isThem ? 'them' : 'me'
}

/** Characters: a promise is said at the beginning. */
const MAX_READ = 200

const words = lazy(() => {
  const sections = readDataSections(new URL('data/promise-words.txt', import.meta.url))
  const set = (name: string): ReadonlySet<string> => new Set(sections.get(name))
  return {
    waiting: sections.get('waiting') ?? [],
    me: set('me'),
    them: set('them'),
    have: set('have'),
    promise: set('promise'),
  }
})
