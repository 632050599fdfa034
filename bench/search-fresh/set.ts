/**
 * 248 invented people, 49 of them written for this set and the others from the everyday set, with 100 questions, 40 of
 * them without an answer (decisions/0027). They were written and committed before their author read the search, but
 * after reading the decisions about it. All questions are held out. The dates suppose that today is in November 2026.
 */

import { readSearchSet } from '../support/json-search-set.ts'

export const FRESH_SET = readSearchSet('fresh set', new URL('./', import.meta.url))
