/**
 * 66 invented people, and 106 questions of kinds that the search was known to miss: identifiers, asking words,
 * apostrophes, initials of companies (decisions/0027). Their author knew this list, but had not read the search, its
 * thesaurus or the questions of the other sets. All questions are held out.
 */

import { readSearchSet } from '../support/json-search-set.ts'

export const HELD_OUT_SET = readSearchSet('held-out set', new URL('./', import.meta.url))
