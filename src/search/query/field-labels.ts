/** Values with the label of a field, such as `tag: robotics`, which are searched for only in that field. */

import { FIELD } from '../index/search-fields.ts'
import { SEARCHED_FIELDS } from '../index/posting-ranges.ts'
import { analyzeFilter, analyzeLocation } from './analyze-query.ts'
import type { QueryWord } from '../index/query-word.ts'

type LabeledField = 'tag' | 'title' | 'company' | 'location' | 'name' | 'note'

const FIELDS: readonly (readonly [field: LabeledField, ...labels: string[]])[] = [
  ['tag', 'tag', 'tags', 'schlagwort', 'schlagworte', 'schlagwörter'],
  ['title', 'title', 'titel', 'position'],
  ['company', 'company', 'firma'],
  ['location', 'location', 'city', 'ort', 'stadt'],
  ['name', 'name'],
  ['note', 'note', 'notes', 'notiz', 'notizen'],
]

const LABEL = /(?<![\p{L}\p{N}:])(\p{L}{3,12}): *(?=[\p{L}\p{N}"'])/gu

/** A value ends at a comma and before a place or a company: `tag: robotics in Berlin`. */
const VALUE = /^(?:"[^"]+"|'[^']+'|[^,;]*?(?=$|[,;]|\s(?:in|at|from|near|bei|aus)\s))/u

/** With the 16 words of a query, as many as a bit mask can have. */
const MAX_WORDS = 14

interface LabeledQuery {
  /** The words of the values. */
  readonly labeled: readonly QueryWord[]
  /** The query without them. */
  readonly rest: string
}

export function labeledWords(query: string): LabeledQuery {
  if (!query.includes(':')) return { labeled: [], rest: query }
  const labels = [...query.matchAll(LABEL)].flatMap(({ 0: whole, 1: label, index }) => {
    const field = fieldOf(label)
    return field === undefined ? [] : [{ field, index, start: index + whole.length }]
  })
  const labeled: QueryWord[] = []
  let rest = query.slice(0, labels[0]?.index)
  for (const [at, { field, start }] of labels.entries()) {
    const text = query.slice(start, labels[at + 1]?.index)
    const value = VALUE.exec(text.trim())?.[0] ?? ''
    const words = field === 'location' ? analyzeLocation(value) : analyzeFilter(value)
    labeled.push(...words.map((word) => inField(word, 1 << FIELD[field])))
    rest += ` ${text.trim().slice(value.length)}`
  }
  return { labeled: labeled.slice(0, MAX_WORDS), rest }
}

function fieldOf(label = ''): LabeledField | undefined {
  return FIELDS.find(([, ...labels]) => labels.includes(label.toLowerCase()))?.[0]
}

/** Only people who have it in this field (a bit mask) are results. */
function inField(word: QueryWord, mask: number): QueryWord {
  const terms = word.terms.flatMap((term) => {
    const fields = (term.fields ?? SEARCHED_FIELDS) & mask
    return fields === 0 ? [] : [{ ...term, fields }]
  })
  return { ...word, typed: word.text, isStrict: true, terms }
}
