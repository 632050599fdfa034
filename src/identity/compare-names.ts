/** Decides whether two names can belong to one person, and why. */

import { scriptOf } from './other-scripts.ts'
import { parsePersonName, type PersonName, type WrittenName } from './person-name.ts'
import {
  areSimilarShortNames,
  areTwoForms,
  areTwoNames,
  isPartOfGivenName,
  isSlip,
  isUnisexShortForm,
} from './similar-given-names.ts'
import { areSyllables } from './syllables.ts'
import { relationOf, type WordRelation } from './word-relation.ts'

/**
 * - `same`: given and family names agree, apart from spelling, order and short forms.
 * - `compatible`: they do not contradict each other; one omits or shortens a part, or has a typo.
 * - `unknown`: there is no evidence, or one person can have both: another family name, another script.
 * - `different`: two people.
 */
type NameOutcome = 'same' | 'compatible' | 'unknown' | 'different'

export type NameReason =
  | WordRelation
  | 'word_order'
  | 'unisex_nickname'
  | 'other_form_of_name'
  | 'similar_short_name'
  | 'given_name_typo'
  | 'middle_name'
  | 'part_of_given_name'
  | 'alias'
  | 'only_given_name'
  | 'only_family_name'
  | 'other_family_name'
  | 'other_given_name'
  | 'other_middle_name'
  | 'other_order'
  | 'other_marks'
  | 'other_generation'
  | 'other_number'
  | 'generation_missing'
  | 'other_script'
  | 'not_a_name'

export interface NameComparison {
  readonly outcome: NameOutcome
  readonly reasons: readonly NameReason[]
}

/** Compares two names. Parse names that are compared often once, with `parsePersonName`. */
export function compareNames(
  one: string | WrittenName | PersonName,
  other: string | WrittenName | PersonName,
): NameComparison {
  const [a, b] = [parsed(one), parsed(other)]
  if (a.words.length === 0 || b.words.length === 0) return result('unknown', ['not_a_name'])
  if (a.generation !== null && b.generation !== null && a.generation !== b.generation)
    return result('different', ['other_generation'])
  if (a.numbers.length > 0 && b.numbers.length > 0 && joined(a.numbers) !== joined(b.numbers))
    return result('different', ['other_number'])
  const comparison = compareWords(a, b)
  // A father and son often share everything but the suffix, which may be missing in one source.
  return a.generation === b.generation || comparison.outcome === 'different'
    ? comparison
    : result('unknown', [...comparison.reasons, 'generation_missing'])
}

/**
 * Whether a name has every word of another one, at least as an initial of it, and more: `Julia Smith` is fuller than
 * `J. Smith` and `Julia`.
 */
export function isFullerName({ words: full }: PersonName, { words: short }: PersonName): boolean {
  if (short.length === 0 || joined(full).length <= joined(short).length) return false
  const left = [...full]
  // Whole words first, so that an initial does not take the place of one.
  return short
    .toSorted((one, other) => other.length - one.length)
    .every((word) => {
      const same = left.indexOf(word)
      const isInitial = same < 0 && word.length === 1
      const at = isInitial ? left.findIndex((one) => one.startsWith(word)) : same
      if (at >= 0) left.splice(at, 1)
      return at >= 0
    })
}

function parsed(name: string | WrittenName | PersonName): PersonName {
  return typeof name === 'object' && 'words' in name ? name : parsePersonName(name)
}

function result(outcome: NameOutcome, reasons: Iterable<NameReason>): NameComparison {
  return { outcome, reasons: [...new Set(reasons)] }
}

function compareWords(a: PersonName, b: PersonName): NameComparison {
  if (haveOtherMarks(a, b)) return result('different', ['other_marks'])
  if (joined(a.words) === joined(b.words))
    return a.words.length > 1 || a.family.length > 0
      ? result('same', ['identical'])
      : result('compatible', ['identical', 'only_given_name'])
  if (isNickname(a, b) || isNickname(b, a)) return result('compatible', ['alias'])
  if (scriptIn(a) !== scriptIn(b)) return result('unknown', ['other_script'])
  const spaced = spacedApart(a, b)
  if (spaced !== undefined) return result(spaced.some(isPartial) ? 'compatible' : 'same', spaced)
  const pairs = alignWords(withoutParticles(a, b), withoutParticles(b, a))
  const reasons: NameReason[] = pairs.map(({ relation }) => relation)
  const order = orderOf(pairs)
  // María José and José María Salas; Khalid bin Nasser and Nasser bin Khalid.
  if (order === 'mixed') return result('different', [...reasons, 'other_order'])
  if (order === 'rotated') reasons.push('word_order')
  if (pairs.some((pair) => isUnisex(pair, a, b))) reasons.push('unisex_nickname')
  if (pairs.some((pair) => isOtherForm(pair, a, b))) reasons.push('other_form_of_name')
  if (pairs.some((pair) => isSimilarShort(pair, a, b))) reasons.push('similar_short_name')
  if (pairs.some((pair) => isGivenNameTypo(pair, a, b))) reasons.push('given_name_typo')
  const restA = a.words.filter((_, at) => !pairs.some((pair) => pair.a === at))
  const restB = b.words.filter((_, at) => !pairs.some((pair) => pair.b === at))
  if (restA.length === 0 && restB.length === 0) return allMatched(a, b, reasons)
  if (restA.length === 0 || restB.length === 0) {
    const [short, long, rest] = restA.length === 0 ? [a, b, restB] : [b, a, restA]
    if (pairs.length > 1 && isPartOfGivenName(long, rest)) reasons.push('part_of_given_name')
    return subset(short, long, pairs.length, reasons)
  }
  return conflicting(a, b, pairs, reasons)
}

/** Whether both are Vietnamese names with words that differ only in their marks. */
function haveOtherMarks({ marked: one }: PersonName, { marked: other }: PersonName): boolean {
  if (one.size === 0 || other.size === 0) return false
  return [...one].some(([word, marks]) => (other.get(word) ?? marks) !== marks)
}

/** The relations of names that differ only in spaces and hyphens: Ji-hoon and Jihoon Park, Abdel Aziz and Abdulaziz. */
function spacedApart(a: PersonName, b: PersonName): NameReason[] | undefined {
  if (a.words.length === b.words.length) return undefined
  if (unspaced(a.words) === unspaced(b.words)) return ['spelling']
  // 太郎 尾崎 and 尾崎太郎.
  const isRotated =
    unspaced(a.words.toReversed()) === unspaced(b.words) ||
    unspaced(b.words.toReversed()) === unspaced(a.words)
  if (isRotated) return ['spelling', 'word_order']
  if (a.family.length === 0 || b.family.length === 0) return undefined
  // Gian Luca and Luca.
  if (hasAll(a.given, b.given) || hasAll(b.given, a.given)) return undefined
  const isSyllabic = areSyllables(a.words) && areSyllables(b.words)
  const family = relationOf(unspaced(a.family), unspaced(b.family), isSyllabic)
  if (family === undefined || (family === 'typo' && !isSyllabic)) return undefined
  if (areInitials(a.given, b.given) || areInitials(b.given, a.given)) return ['initial', family]
  const given = relationOf(unspaced(a.given), unspaced(b.given), isSyllabic)
  return given !== undefined && WHOLE.has(given) ? [given, family] : undefined
}

const WHOLE: ReadonlySet<NameReason> = new Set(['identical', 'spelling', 'nickname'])

/** JF and Jean-François. */
export function areInitials(
  [word = '', ...others]: readonly string[],
  given: readonly string[],
): boolean {
  if (others.length > 0 || given.length < 2 || word.length !== given.length) return false
  return given.every((name, at) => name.startsWith(word.charAt(at)))
}

function hasAll(words: readonly string[], others: readonly string[]): boolean {
  return others.length < words.length && others.every((word) => words.includes(word))
}

function isPartial(reason: NameReason): boolean {
  return reason === 'initial' || reason === 'typo'
}

function unspaced(words: readonly string[]): string {
  return words.join('').replaceAll('abdel', 'abdul')
}

/** The words of a name, without the particles that the other one has apart: `rashid` for Alrashid if the other is Al-Rashid. */
function withoutParticles({ words }: PersonName, { withParticle }: PersonName): readonly string[] {
  return withParticle.size === 0 ? words : words.map((word) => withParticle.get(word) ?? word)
}

/** `rotated` if the last words of one name are the first of the other: Wei Wang and Wang Wei. */
function orderOf(pairs: readonly WordPair[]): 'same' | 'rotated' | 'mixed' {
  const steps = pairs.filter((pair, at) => pair.b < (pairs[at - 1]?.b ?? 0)).length
  if (steps === 0) return 'same'
  const isRound = (pairs.at(-1)?.b ?? 0) < (pairs[0]?.b ?? 0)
  return steps === 1 && isRound ? 'rotated' : 'mixed'
}

/** Chris and Christine Hall can be spouses. */
function isUnisex({ relation, ...at }: WordPair, a: PersonName, b: PersonName): boolean {
  return relation === 'nickname' && isUnisexShortForm(a.words[at.a] ?? '', b.words[at.b] ?? '')
}

/** Ted and Ned Price can be brothers. */
function isOtherForm({ relation, ...at }: WordPair, a: PersonName, b: PersonName): boolean {
  const [one, other] = [a.words[at.a] ?? '', b.words[at.b] ?? '']
  if (relation === 'spelling') return areTwoNames(one, other)
  return relation === 'nickname' && areTwoForms(one, other)
}

/** Leo and Leon Berg can be twins. */
function isSimilarShort({ relation, ...at }: WordPair, a: PersonName, b: PersonName): boolean {
  return relation === 'nickname' && areSimilarShortNames(a.words[at.a] ?? '', b.words[at.b] ?? '')
}

/** Mara and Maria Thiele can be sisters, but a family name with a typo is not another one. */
function isGivenNameTypo({ relation, ...at }: WordPair, a: PersonName, b: PersonName): boolean {
  if (relation !== 'typo' || (isFamilyAt(a, at.a) && isFamilyAt(b, at.b))) return false
  return !isSlip(a.words[at.a] ?? '', b.words[at.b] ?? '')
}

function joined(words: readonly string[]): string {
  return words.join(' ')
}

function scriptIn({ words }: PersonName): string {
  return scriptOf(words.join(' '))
}

function allMatched(a: PersonName, b: PersonName, reasons: readonly NameReason[]): NameComparison {
  const whole = Math.min(wholeWords(a), wholeWords(b))
  if (a.words.length === 1)
    return result('compatible', [
      ...reasons,
      a.family.length > 0 ? 'only_family_name' : 'only_given_name',
    ])
  if (reasons.includes('typo')) return result('compatible', reasons)
  if (!reasons.includes('initial')) return result('same', reasons)
  // If given and family names are complete, a middle initial makes no difference.
  return result(whole > 1 ? 'same' : 'compatible', reasons)
}

function wholeWords({ words }: PersonName): number {
  return words.filter((word) => word.length > 1).length
}

/** One name has all words of the other. */
function subset(
  short: PersonName,
  long: PersonName,
  matched: number,
  reasons: readonly NameReason[],
): NameComparison {
  if (matched > 1)
    return CHILD.has(long.words.at(-1) ?? '') && long.words.length === matched + 1
      ? result('unknown', [...reasons, 'middle_name', 'generation_missing'])
      : result('compatible', [...reasons, 'middle_name'])
  const [word = ''] = short.words
  // A single initial is no evidence.
  if (word.length === 1) return result('unknown', [...reasons, 'not_a_name'])
  const isFamily = long.family.some((name) => relationOf(name, word) !== undefined)
  return isFamily
    ? result('unknown', [...reasons, 'only_family_name'])
    : result('compatible', [...reasons, 'only_given_name'])
}

/** Son and daughter in Indonesian; the last word of a name may mean this, or be a name. */
const CHILD: ReadonlySet<string> = new Set(['putra', 'putri'])

/** Whether a name is written as the nickname of the other: 新井 智子 and Tomoko Arai, known as 新井智子. */
function isNickname({ aliases }: PersonName, { words }: PersonName): boolean {
  return aliases.length > 0 && aliases.join('') === words.join('')
}

/** True if each name has words that the other does not have. */
function conflicting(
  a: PersonName,
  b: PersonName,
  pairs: readonly WordPair[],
  reasons: readonly NameReason[],
): NameComparison {
  const sharesGiven = pairs.some((pair) => isGivenAt(a, pair.a) && isGivenAt(b, pair.b))
  const sharesFamily = pairs.some((pair) => isFamilyAt(a, pair.a) && isFamilyAt(b, pair.b))
  if (sharesGiven && sharesFamily) return result('different', [...reasons, 'other_middle_name'])
  if (sharesGiven) {
    const isAlias = shareAny(a.aliases, b.family) || shareAny(b.aliases, a.family)
    return isAlias
      ? result('compatible', [...reasons, 'alias'])
      : result('unknown', [...reasons, 'other_family_name'])
  }
  // Chan Ka Ming, known as Kelvin, and Kelvin Chan; Siobhán Ní Bhriain, known as Shiv, and Shiv O'Brien.
  if (shareAny(a.aliases, b.given) || shareAny(b.aliases, a.given))
    return pairs.length > 0
      ? result('compatible', [...reasons, 'alias'])
      : result('unknown', [...reasons, 'other_family_name'])
  return result('different', [...reasons, 'other_given_name'])
}

function shareAny(aliases: readonly string[], words: readonly string[]): boolean {
  return aliases.some((alias) => words.some((word) => relationOf(alias, word) !== undefined))
}

function isGivenAt({ given, words }: PersonName, at: number): boolean {
  return given[0] !== undefined && words[at] === given[0] && (words[at]?.length ?? 0) > 1
}

function isFamilyAt({ family, words }: PersonName, at: number): boolean {
  return family.includes(words[at] ?? '')
}

/** A word of each name and how they are related, by their positions. */
interface WordPair {
  readonly a: number
  readonly b: number
  readonly relation: WordRelation
}

/** Best relations first, so that an initial is not paired with a word that matches another word. */
const RELATIONS: readonly WordRelation[] = ['identical', 'spelling', 'nickname', 'typo', 'initial']

function alignWords(a: readonly string[], b: readonly string[]): WordPair[] {
  const isSyllabic = areSyllables(a) && areSyllables(b)
  const candidates = a.flatMap((word, at) =>
    b.flatMap((other, otherAt) => {
      const relation = relationOf(word, other, isSyllabic)
      return relation === undefined ? [] : [{ a: at, b: otherAt, relation }]
    }),
  )
  candidates.sort((x, y) => RELATIONS.indexOf(x.relation) - RELATIONS.indexOf(y.relation))
  const [takenA, takenB] = [new Set<number>(), new Set<number>()]
  const pairs: WordPair[] = []
  for (const pair of candidates) {
    if (takenA.has(pair.a) || takenB.has(pair.b)) continue
    takenA.add(pair.a)
    takenB.add(pair.b)
    pairs.push(pair)
  }
  return pairs.sort((x, y) => x.a - y.a)
}
