/** Seals the state of a request between two rounds. It passes through the client, which must not change it. */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { MINUTE } from '../../src/base/clock.ts'
import { isJsonObject } from '../../src/mcp/protocol/json-rpc.ts'

/** The time a person has for one response. Milliseconds. */
const LIFETIME = 15 * MINUTE

/**
 * State with its expiry and an HMAC over both and over `about`: whose request it is and what it asks. Sealed text
 * cannot be changed, given to another caller or used for another request (MCP 2026-07-28, basic/patterns/mrtr: Server
 * Requirements).
 */
export function sealState(key: Uint8Array, about: string, state: unknown, now: number): string {
  const payload = Buffer.from(JSON.stringify({ state, until: now + LIFETIME })).toString(
    'base64url',
  )
  return `${payload}.${macOf(key, about, payload)}`
}

/** The state; undefined if the text was sealed for another request or has expired. */
export function openState(
  key: Uint8Array,
  about: string,
  sealed: string,
  now: number,
): { readonly state: unknown } | undefined {
  const [payload = '', mac = '', ...more] = sealed.split('.')
  if (more.length > 0 || !isSame(mac, macOf(key, about, payload))) return undefined
  const opened: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
  // The HMAC is valid, so `sealState` wrote this text.
  if (!isJsonObject(opened) || typeof opened['until'] !== 'number') return undefined
  return opened['until'] > now ? { state: opened['state'] } : undefined
}

function macOf(key: Uint8Array, about: string, payload: string): string {
  return createHmac('sha256', key).update(`${about}\n${payload}`).digest('base64url')
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
