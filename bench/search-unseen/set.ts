/**
 * 245 invented people, 46 of them written for this set and the others from the everyday set, with 80 questions, 40 of
 * them without an answer (decisions/0027). They were written and committed before their author read the search. All
 * questions are held out. The dates suppose that today is in November 2026.
 */

import { readSearchSet } from '../support/json-search-set.ts'

export const UNSEEN_SET = readSearchSet('unseen set', new URL('./', import.meta.url))
