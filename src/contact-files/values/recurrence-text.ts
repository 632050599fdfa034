// How often a follow-up recurs, as people and models write it: `weekly`, `every two weeks`, `never`, in English or German.

import { intervalOf, recurrenceOf, type Recurrence } from '../contact/recurrence.ts'
import { cadenceFromText } from './cadence-text.ts'

/** Undefined for other texts, and for less than once in ten years. */
export function readRecurrence(text: string): Recurrence | undefined {
  const plain = text.trim().toLowerCase()
  if (NEVER.has(plain)) return 'none'
  const interval = intervalOf(plain) ?? cadenceFromText(plain.replace(/(\d)[.,](?=\d{3}\b)/g, '$1'))
  return interval ? recurrenceOf(interval) : undefined
}

const NEVER: ReadonlySet<string> = new Set(['none', 'never', 'once', 'nie'])
