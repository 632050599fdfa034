/** The texts of a connection to embed. They omit its name, which the model would treat as a meaningful word. */

import { hash } from 'node:crypto'
import { normalize, tokenize } from '../../../base/tokenize.ts'
import type { ConnectionDocument } from '../../person/whole-connection.ts'

/** Number of newest notes with their own embedding; older ones are only part of the combined text. */
const MAX_NOTES = 12

/** The combined text, the heading alone and each note alone, so that one remark is not averaged away. */
export function embeddingTexts(document: ConnectionDocument): string[] {
  const { title, company, location, tags, notes } = document
  const heading = [title, company, location, tags.join(', ')].filter(isNotBlank).join('. ')
  const ownWords = new Set(tokenize(document.name))
  const cleanNotes = notes.map((note) => withoutWords(note, ownWords))
  const all = [heading, ...cleanNotes].filter(isNotBlank).join('\n')
  return [...new Set([all, heading, ...cleanNotes.slice(-MAX_NOTES)])].filter(isNotBlank)
}

/** A hash of the texts, to detect changes. */
export function fingerprintOf(texts: readonly string[]): string {
  return hash('sha256', JSON.stringify(texts), 'base64url').slice(0, 22)
}

function isNotBlank(text: string | null): text is string {
  return text !== null && text.trim() !== ''
}

function withoutWords(text: string, ownWords: ReadonlySet<string>): string {
  return text.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => (ownWords.has(normalize(word)) ? '' : word))
}
