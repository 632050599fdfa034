/** What a query names that no connection has: a person or a company that is not in the network. */

import { t } from '../../languages/message.ts'
import { isNameWord } from '../../search/query/proper-nouns.ts'
import type { QueryWord } from '../../search/index/query-word.ts'
import type { IndexAnswer } from './answer-query.ts'

type Answered = Pick<IndexAnswer, 'asked' | 'unknown' | 'complete'>

/** Words of a name. */
const MAX_NAME_WORDS = 4

/** Whether the query is only a name or an employer of which no one has any word. */
export function isUnknownName(answer: Answered): boolean {
  const required = requiredOf(answer)
  return (
    required.length > 0 &&
    required.every(
      ({ word, isUnknown }) => isUnknown && (isNameWord(word) || word.isEmployer === true),
    )
  )
}

/** `No connection named Haverkamp.`; undefined if someone matches completely, or the query names no one. */
export function unknownNameText(answer: Answered): string | undefined {
  if (answer.complete > 0) return undefined
  const required = requiredOf(answer)
  const missing = required.filter(({ isUnknown }) => isUnknown)
  if (isName(required))
    return t('No connection named {name}.', {
      name: typedIn(missing.length > 0 ? missing : required),
    })
  const named = missing.filter(({ word }) => word.isEmployer === true || isNameWord(word))
  return named.length === 0 ? undefined : t('No connection has {words}.', { words: typedIn(named) })
}

interface RequiredWord {
  readonly word: QueryWord
  /** Whether no one in the network has the word itself. */
  readonly isUnknown: boolean
}

function requiredOf({ asked, unknown }: Answered): RequiredWord[] {
  return asked.words.flatMap((word, at) =>
    word.isOptional ? [] : [{ word, isUnknown: (unknown & (1 << at)) !== 0 }],
  )
}

function isName(required: readonly RequiredWord[]): boolean {
  const { length } = required
  return length > 0 && length <= MAX_NAME_WORDS && required.every(({ word }) => isNameWord(word))
}

function typedIn(words: readonly RequiredWord[]): string {
  return words.map(({ word: { typed, text } }) => typed ?? text).join(' ')
}
