/** The labels of values, such as `home`: stored in English, which files and address books read, and shown in the language of the page. */

import { currentLanguage } from '../../languages/language.ts'
import { phrase, t } from '../../languages/message.ts'

/** The labels of emails, phone numbers and addresses. */
export const PLACE_WORDS = [phrase('work'), phrase('home'), phrase('mobile'), phrase('other')]

/** The labels of dates. */
export const DAY_WORDS = [
  phrase('anniversary'),
  phrase('name day'),
  phrase('started work'),
  phrase('first met'),
]

export const RELATION_WORDS = [
  phrase('spouse'),
  phrase('partner'),
  phrase('child'),
  phrase('parent'),
  phrase('sibling'),
  phrase('relative'),
  phrase('friend'),
  phrase('assistant'),
  phrase('manager'),
  phrase('referred by'),
]

/** Other words for relations that files have. */
const KIN_WORDS = [
  phrase('husband'),
  phrase('wife'),
  phrase('girlfriend'),
  phrase('boyfriend'),
  phrase('mother'),
  phrase('father'),
  phrase('son'),
  phrase('daughter'),
  phrase('brother'),
  phrase('sister'),
  phrase('grandparent'),
  phrase('grandmother'),
  phrase('grandfather'),
  phrase('grandchild'),
  phrase('grandson'),
  phrase('granddaughter'),
  phrase('uncle'),
  phrase('aunt'),
  phrase('nephew'),
  phrase('niece'),
  phrase('cousin'),
  phrase('step-parent'),
  phrase('stepmother'),
  phrase('stepfather'),
  phrase('step-child'),
  phrase('stepson'),
  phrase('stepdaughter'),
  phrase('godparent'),
  phrase('godmother'),
  phrase('godfather'),
  phrase('godchild'),
  phrase('best friend'),
  phrase('ex'),
  phrase('ex-husband'),
  phrase('ex-wife'),
  phrase('colleague'),
  phrase('boss'),
  phrase('direct report'),
  phrase('mentor'),
  phrase('mentee'),
  phrase('introduced by'),
  phrase('introduced'),
  phrase('neighbor'),
  phrase('related to'),
]

const WORDS: readonly string[] = [...PLACE_WORDS, ...DAY_WORDS, ...RELATION_WORDS, ...KIN_WORDS]

/** A stored label in the language of the page; the member's own words stay as they are. */
export function labelText(label: string): string {
  return WORDS.includes(label) ? t(label) : label
}

/** What a person is to another one, in the language of the page. Files write the words with a capital letter, too. */
export function relationText(relation: string): string {
  const word = relation.trim().toLowerCase()
  return currentLanguage() !== 'en' && WORDS.includes(word) ? t(word) : relation
}

/** The label to store for what was typed or shown. Other spellings are the member's own words. */
export function storedLabel(typed: string): string {
  const text = typed.trim()
  return WORDS.includes(text) ? text : (WORDS.find((word) => t(word) === text) ?? typed)
}
