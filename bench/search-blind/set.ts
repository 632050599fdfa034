/**
 * 150 invented people from ten trades, and 160 questions about them, written by someone who had read neither the search
 * nor its thesaurus nor the other set (decisions/0027). The dates suppose that today is in November 2026.
 */

import { readSearchSet } from '../support/json-search-set.ts'

export const BLIND_SET = readSearchSet('blind set', new URL('./', import.meta.url))
