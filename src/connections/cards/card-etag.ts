/** The ETag of a card, by which clients notice its changes. */

import { hash } from 'node:crypto'

/** A strong ETag that changes exactly when the bytes do. */
export function etagOf(bytes: Uint8Array): string {
  return `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`
}
