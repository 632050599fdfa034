/** Whether a network has to do with a question that no one in it answers. Then similar people are shown. */

import { FACTOR, FIELD } from '../../search/index/fields.ts'
import { isKnownWord } from '../../search/index/search-index.ts'
import { kinTerm } from '../../search/questions/kinship.ts'
import { thesaurus } from '../../search/questions/thesaurus.ts'
import type { AskedQuery } from './answer-query.ts'
import type { SearchIndex } from '../../search/index/layout.ts'
import type { QueryTerm, QueryWord } from '../../search/index/query-word.ts'

/**
 * Whether a question whose words no one has together is about something in the network: people have most of its words,
 * each somewhere, or half of them, of which one person has many. `kitchen help for elderly neighbors` and `astronaut`
 * both match no one, but only the first is about something in the network. Words that filter do not count: a network
 * that only contains Berlin does not answer `plumber in Berlin`. Neither do those that are no subject: someone else who
 * collects something, or has the same given name, does not answer `who collects stamps` or `Farid Nasser`.
 *
 * `some` are the people who have some of the words, with the square root of their share of the question.
 */
export function isAboutNetwork(
  index: SearchIndex,
  { words, incidental = [] }: AskedQuery,
  some: readonly { readonly weight: number }[],
): boolean {
  const required = words.filter(({ isOptional }) => !isOptional)
  const free = required.filter(({ isFilter }) => isFilter !== true)
  const known = free.filter((word) => isKnownWord(index, beyondNames(word)))
  if (known.every(({ text }) => incidental.includes(text))) return false
  // An occupation that no one has is not replaced by the rest of the question.
  if (required.some((word) => isOccupation(word.text) && !isKnownWord(index, word))) return false
  if (2 * known.length !== free.length) return 2 * known.length > free.length
  return (
    some.some(({ weight }) => weight ** 2 >= HALF_KNOWN_SHARE) &&
    known.every((word) => isSubjectWord(index, word))
  )
}

/** What people are called says nothing about what they do. */
function beyondNames({ text, terms, isOptional }: QueryWord): QueryWord {
  const others = terms.map((term) => {
    const { fields = ALL_FIELDS } = term
    return { ...term, fields: fields & ~NAME_FIELDS }
  })
  return { text, isOptional, terms: others }
}

const ALL_FIELDS = 0xffff
const NAME_FIELDS =
  (1 << FIELD.name) |
  (1 << FIELD.initials) |
  (1 << FIELD.email) |
  (1 << FIELD.emailWord) |
  (1 << FIELD.link) |
  (1 << FIELD.linkWord)

/** A company is no subject, and neither are relatives: no one is similar to the husband of someone unknown. */
function isSubjectWord(index: SearchIndex, { text, terms, isOptional }: QueryWord): boolean {
  if (kinTerm(text) !== undefined) return false
  const plurals = [`${text}s`, `${text}es`].map((term) => ({ term, factor: FACTOR.exact }))
  const whole = [...terms, ...plurals].map(wholeInSubject)
  return isKnownWord(index, { text, isOptional, terms: whole })
}

function wholeInSubject(term: QueryTerm): QueryTerm {
  return { ...term, isPrefix: false, fields: SUBJECT_FIELDS }
}

const SUBJECT_FIELDS =
  (1 << FIELD.title) |
  (1 << FIELD.tag) |
  (1 << FIELD.note) |
  (1 << FIELD.followUp) |
  (1 << FIELD.detail)

/** Only people who have it are answers: a wedding guest is no wedding photographer. */
function isOccupation(text: string): boolean {
  return thesaurus()
    .find(text)
    .some(({ kind }) => kind === 'title')
}

/** Measured with `bench/retrieval.ts` and `bench/search-quality.ts`: see decisions/0027. */
const HALF_KNOWN_SHARE = 1 / 3
