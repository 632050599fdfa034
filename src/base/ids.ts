/** Unguessable identifiers with a prefix that names their type. */

import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** `pre_` and 22 characters of base64url: 128 random bits. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(16).toString('base64url')}`
}

/** A job ID: random, unguessable, and exact as a JSON number (below 2^53). */
export function newJobId(): number {
  // randomInt is limited to 2^48; five more bits make 53.
  return randomInt(1, 2 ** 48 - 1) + randomInt(0, 2 ** 5 - 1) * 2 ** 48
}

let requests = 0
const started = randomUUID().slice(0, 8)

/** `req_`, a random prefix of this process, and a counter: unique and cheap. */
export function newRequestId(): string {
  requests += 1
  return `req_${started}${requests.toString(36).padStart(6, '0')}`
}
