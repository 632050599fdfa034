/** Default rate limits of each surface. `WEFT_RATE_LIMITS` overrides them. */

import type { LimitPolicy } from '../http/rate-limit-policy.ts'

export const LIMITS = {
  profile: { name: 'profile', quota: 600, window: 60, per: 'address' },
  directory: { name: 'directory', quota: 120, window: 60, per: 'address' },
  batch: { name: 'batch', quota: 60, window: 60, per: 'address' },
  ask: { name: 'ask', quota: 60, window: 60, per: 'address' },
  identity: { name: 'identity', quota: 120, window: 60, per: 'address' },
  authorize: { name: 'authorize', quota: 120, window: 60, per: 'address' },
  /** Each identity provider response costs a request to the provider. */
  callback: { name: 'callback', quota: 60, window: 60, per: 'address' },
  /** Keeps bots from filling an open service or probing it for email addresses. */
  join: { name: 'join', quota: 30, window: 3600, per: 'address' },
  /** Each request may send an email. Emails per member are limited separately: see email/prepare.ts. */
  forgot: { name: 'forgot', quota: 10, window: 3600, per: 'address' },
  /** Each request stores a challenge in the database. */
  passkey: { name: 'passkey', quota: 60, window: 60, per: 'address' },
  register: { name: 'register', quota: 60, window: 60, per: 'address' },
  /** In addition to the limit per minute, because registrations are stored. */
  register_hour: { name: 'register_hour', quota: 200, window: 3600, per: 'address' },
  register_day: { name: 'register_day', quota: 1000, window: 86_400, per: 'address' },
  token: { name: 'token', quota: 300, window: 60, per: 'address' },
  mcp: { name: 'mcp', quota: 600, window: 60, per: 'credential' },
  /** A first sync of an address book is thousands of requests. */
  dav: { name: 'dav', quota: 3000, window: 60, per: 'credential' },
  jobs: { name: 'jobs', quota: 300, window: 60, per: 'credential' },
  /** Each call searches the documentation in memory. */
  docs: { name: 'docs', quota: 120, window: 60, per: 'address' },
  /** Pages of the demo account, opened without an account. */
  tour: { name: 'tour', quota: 120, window: 60, per: 'address' },
  /** Forms that people send. */
  forms: { name: 'forms', quota: 300, window: 60, per: 'member' },
  /** Forms that start work: a thread, a job, or a request to another server. */
  work: { name: 'work', quota: 60, window: 60, per: 'member' },
  /** Calendar apps read it every few hours. */
  calendar_feed: { name: 'calendar_feed', quota: 60, window: 60, per: 'address' },
  /** Mailbox providers send it for many members from a few addresses. */
  unsubscribe: { name: 'unsubscribe', quota: 300, window: 60, per: 'address' },
  sandbox: { name: 'sandbox', quota: 60, window: 60, per: 'address' },
} as const satisfies Record<string, LimitPolicy>
