/** How often each surface may be asked, as long as the operator says nothing else (`WEFT_RATE_LIMITS`). */

import type { LimitPolicy } from '../http/rate-limit-policy.ts'

export const LIMITS = {
  profile: { name: 'profile', quota: 600, window: 60, per: 'address' },
  directory: { name: 'directory', quota: 120, window: 60, per: 'address' },
  batch: { name: 'batch', quota: 60, window: 60, per: 'address' },
  ask: { name: 'ask', quota: 60, window: 60, per: 'address' },
  identity: { name: 'identity', quota: 120, window: 60, per: 'address' },
  authorize: { name: 'authorize', quota: 120, window: 60, per: 'address' },
  /** Each answer of an identity provider is redeemed there. */
  callback: { name: 'callback', quota: 60, window: 60, per: 'address' },
  /** It keeps a machine from filling an open service, or from asking it for addresses. */
  join: { name: 'join', quota: 30, window: 3600, per: 'address' },
  /** Each asks the database for a challenge. */
  passkey: { name: 'passkey', quota: 60, window: 60, per: 'address' },
  register: { name: 'register', quota: 60, window: 60, per: 'address' },
  /** Beyond those of a minute: what is registered is stored. */
  register_hour: { name: 'register_hour', quota: 200, window: 3600, per: 'address' },
  register_day: { name: 'register_day', quota: 1000, window: 86_400, per: 'address' },
  token: { name: 'token', quota: 300, window: 60, per: 'address' },
  mcp: { name: 'mcp', quota: 600, window: 60, per: 'credential' },
  jobs: { name: 'jobs', quota: 300, window: 60, per: 'credential' },
  /** Each call searches the documentation in memory. */
  docs: { name: 'docs', quota: 120, window: 60, per: 'address' },
  sandbox: { name: 'sandbox', quota: 60, window: 60, per: 'address' },
} as const satisfies Record<string, LimitPolicy>
