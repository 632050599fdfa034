/** Keys of contacts as files have them: the contact itself, its email and its card. `connections/model/match-keys.ts` has the others. */

import { hash } from 'node:crypto'
import type { ImportedContact } from './contact.ts'

/**
 * The key of a contact exactly as the file had it. A connection with this key already includes this contact, so
 * importing it again changes nothing, even after other imports or edits. `record` distinguishes people of an export who are
 * exactly alike.
 */
export function fingerprintKey(contact: ImportedContact, record = ''): string {
  return `h${hashOf(JSON.stringify(contact) + record)}`
}

/** Whether a key is that of a contact as a file had it. */
export function isFingerprintKey(key: string): boolean {
  return key.startsWith('h') && !key.startsWith('h~')
}

/** Like `fingerprintKey`, for a contact skipped because the person is deleted; ignored once the person is restored. */
export function skippedKey(contact: ImportedContact): string {
  return `s${hashOf(JSON.stringify(contact))}`
}

/** The email as the connection stores it. */
export function emailKey(email: string): string {
  return hashedKey('e', email)
}

/**
 * The key of a vCard's UID, which other cards refer to: `urn:uuid:4FBE8971-…` and `4fbe8971-…` are one. Like a fingerprint,
 * it is not evidence of who a person is.
 */
export function cardKey(uid: string): string {
  return `h~${hashOf(cardIdOf(uid))}`
}

/** The key of a person whose card refers to a card with this key that no one has yet. */
export function awaitedCardKey(key: string): string {
  return `h~${hashOf(`awaited ${key}`)}`
}

/** The key of a card in an address book that the member has subscribed to. There, a card stays that of its person. */
export function bookCardKey(bookId: number, key: string): string {
  return `h~${hashOf(`book ${bookId} ${key}`)}`
}

/** Also of Apple's `4FBE8971-…:ABPerson`. */
export function cardIdOf(uid: string): string {
  return uid
    .trim()
    .toLowerCase()
    .replace(/^(?:urn:)?uuid:/, '')
    .replace(/:abperson$/, '')
}

/**
 * A letter for the kind and 66 bits of a hash. That is a third of the size of the text, which matters because an import
 * writes and looks up several keys per row. Collisions within one member's network are negligible.
 */
export function hashedKey(kind: 'e' | 'u' | 'p' | 'n' | 'b' | 'w', text: string): string {
  return kind + hashOf(text)
}

/** Returns 66 bits of the SHA-256 of a text, in base64url. */
export function hashOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 11)
}
