/** The labels of values, such as `home`: stored in English, which files and address books read, and shown in the language of the page. */

import { phrase, t } from '../../languages/message.ts'

/** Of emails, phone numbers and addresses. */
export const PLACE_WORDS = [phrase('work'), phrase('home'), phrase('mobile'), phrase('other')]

/** Of dates. */
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

const WORDS: readonly string[] = [...PLACE_WORDS, ...DAY_WORDS, ...RELATION_WORDS]

/** A stored label in the language of the page; the member's own words stay as they are. */
export function labelText(label: string): string {
  return WORDS.includes(label) ? t(label) : label
}

/** The label to store for what was typed or shown. Other spellings are the member's own words. */
export function storedLabel(typed: string): string {
  const text = typed.trim()
  return WORDS.includes(text) ? text : (WORDS.find((word) => t(word) === text) ?? typed)
}
