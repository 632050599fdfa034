/** Recognizes the most frequent kind of similar names at little cost, without splitting them into their parts. */

import { hasMeaning, isGeneration } from './person-name.ts'

/**
 * Whether both names are plain words, and one is the other without some of them, or with initials instead: `J. Smith` and
 * `Jane Mary Smith Jr.`. `compareNames` never finds such names `different` because of a given name, number or generation.
 */
export function isPlainlyShortened(one: string, other: string): boolean {
  const [name, otherName] = [plainNameOf(one), plainNameOf(other)]
  if (!name || !otherName || (name.hasGeneration && otherName.hasGeneration)) return false
  return name.words.length <= otherName.words.length
    ? isShortOf(name, otherName)
    : isShortOf(otherName, name)
}

interface PlainName {
  /** Without dots and generation. */
  readonly words: readonly string[]
  readonly hasGeneration: boolean
  /** Whether the first word may be an abbreviated title. */
  readonly mayHaveTitle: boolean
}

/** Undefined if a word may mean something else than a name, or may be read as several. */
function plainNameOf(name: string): PlainName | undefined {
  if (!PLAIN.test(name)) return undefined
  const tokens = name.split(' ')
  const mayHaveTitle = TITLE.test(name)
  // After a title and one name, it may be the family name.
  const hasGeneration = tokens.length > (mayHaveTitle ? 3 : 2) && isGeneration(tokens.at(-1) ?? '')
  if (hasGeneration) tokens.pop()
  const words: string[] = []
  for (const [at, token] of tokens.entries()) {
    // `Al-Din` and `Ph-D` may mean something with and without the hyphen.
    const isJoined = token.includes('-')
    if (isJoined && hasMeaning(token)) return undefined
    for (const word of isJoined ? token.split('-') : [token]) {
      if (hasMeaning(word) || (at > 0 && word === FORMERLY)) return undefined
      words.push(word.endsWith('.') ? word.slice(0, -1) : word)
    }
  }
  return { words, hasGeneration, mayHaveTitle }
}

/** Monsieur, also in Cyrillic letters. */
const TITLE = /^[MМ]\./
/** Not as the first word. */
const FORMERLY = 'F.'

/** Words of Latin or Cyrillic letters, perhaps with a dot, and one space or hyphen between them. */
const PLAIN = /^[A-Za-zÀ-ÖØ-öø-ſЀ-ӿ]+\.?(?:[ -][A-Za-zÀ-ÖØ-öø-ſЀ-ӿ]+\.?)*$/

function isShortOf({ words: short }: PlainName, long: PlainName): boolean {
  // Without the title, a word of the short name may have no counterpart.
  if (long.mayHaveTitle) return false
  const left = [...long.words]
  const initials: string[] = []
  // Whole words first, so that an initial does not take the place of one.
  for (const word of short) {
    const at = left.indexOf(word)
    if (at >= 0) left.splice(at, 1)
    else if (INITIAL.test(word)) initials.push(word)
    else return false
  }
  return initials.every((initial) => {
    const at = left.findIndex((word) => word.startsWith(initial))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

const INITIAL = /^[A-Z]$/
