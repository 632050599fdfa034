/**
 * 300 invented people, 101 of them written one by one and the others combined from lists, and 142 questions that a
 * salesperson, a recruiter, a founder, a doctoral student and a parent would ask (decisions/0027). Their author had not
 * read the thesaurus. All questions are held out. The dates suppose that today is in November 2026.
 */

import { readSearchSet } from '../support/json-search-set.ts'

export const EVERYDAY_SET = readSearchSet('everyday set', new URL('./', import.meta.url))
