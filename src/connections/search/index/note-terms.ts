/**
 * Remembers the terms of connections with many notes, so that one more note is analyzed alone. Only for changes that are
 * indexed on the main thread: a new index and a compute thread analyze every note.
 */

import { defineMemory, type MemberMemory } from '../../../db/database.ts'
import { noteWords } from '../../../search/build/analyze-document.ts'

export type NoteTermsOf = (connectionId: number, notes: readonly string[]) => readonly string[]

interface AnalyzedNotes {
  readonly notes: readonly string[]
  readonly terms: ReadonlySet<string>
  readonly bytes: number
}

/** These are evicted before indexes, because analyzing notes again is faster than building an index. */
const ANALYZED = defineMemory<Map<number, AnalyzedNotes>>('note-terms', { isSpare: true })

/** Fewer notes are analyzed in less than a millisecond. */
export const MIN_NOTES = 64
/** Connections of one member that are remembered, the latest ones. */
const MAX_CONNECTIONS = 16
/** Memory for the terms of one member, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024
/** Bytes of a term beside its text. */
const TERM_BYTES = 64

/** `analyze` returns the terms of one note. */
export function rememberedNoteTerms(memory: MemberMemory, analyze = noteWords): NoteTermsOf {
  return (connectionId, notes) => {
    if (notes.length < MIN_NOTES) return [...new Set(notes.flatMap(analyze))]
    const known = memory.read(ANALYZED) ?? new Map<number, AnalyzedNotes>()
    const before = known.get(connectionId)
    const isContinued = before?.notes.every((note, at) => note === notes[at]) === true
    const [start, terms] = isContinued
      ? [before.notes.length, new Set(before.terms)]
      : [0, new Set<string>()]
    for (const note of notes.slice(start)) for (const term of analyze(note)) terms.add(term)
    known.delete(connectionId)
    known.set(connectionId, { notes, terms, bytes: bytesOf(notes) + bytesOf(terms) })
    dropOldest(known)
    memory.keep(ANALYZED, known, totalOf(known))
    return [...terms]
  }
}

function dropOldest(known: Map<number, AnalyzedNotes>): void {
  for (const [connectionId] of known) {
    if (known.size <= MAX_CONNECTIONS && totalOf(known) <= MAX_BYTES) return
    known.delete(connectionId)
  }
}

function totalOf(known: ReadonlyMap<number, AnalyzedNotes>): number {
  return known.values().reduce((sum, { bytes }) => sum + bytes, 0)
}

/** A character takes up to two bytes. */
function bytesOf(texts: Iterable<string>): number {
  let bytes = 0
  for (const text of texts) bytes += TERM_BYTES + 2 * text.length
  return bytes
}
