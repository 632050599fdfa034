/** What a connection tells of itself, as texts to be embedded: without the name, which would be taken for a meaning. */

import { hash } from 'node:crypto'
import { normalize, tokenize } from '../../base/tokenize.ts'
import type { ConnectionDocument } from '../../db/full-text.ts'

/** Notes that have a text of their own, the newest; older ones count in the text of them all. */
const MAX_NOTES = 12

/** All of it, the heading alone, and each note alone: one remark among many would else be lost in their mean. */
export function embeddingTexts(document: ConnectionDocument): string[] {
  const { title, company, location, tags, notes } = document
  const heading = [title, company, location, tags.join(', ')].filter(isTold).join('. ')
  const ownWords = new Set(tokenize(document.name))
  const told = notes.map((note) => withoutWords(note, ownWords))
  const all = [heading, ...told].filter(isTold).join('\n')
  return [...new Set([all, heading, ...told.slice(-MAX_NOTES)])].filter(isTold)
}

/** One line that differs where the texts do. */
export function fingerprintOf(texts: readonly string[]): string {
  return hash('sha256', JSON.stringify(texts), 'base64url').slice(0, 22)
}

function isTold(text: string | null): text is string {
  return text !== null && text.trim() !== ''
}

function withoutWords(text: string, ownWords: ReadonlySet<string>): string {
  return text.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => (ownWords.has(normalize(word)) ? '' : word))
}
