/** Guards that reject nothing, for tests of routes. */

import { LargeBodies } from '../../src/http/body/large-bodies.ts'
import type { Guards } from '../../src/http/run-route.ts'

export function openGate(gate: Partial<Guards> = {}): Guards {
  return {
    authenticate: () => Promise.reject(new Error('no authentication here')),
    authenticateDevice: () => Promise.reject(new Error('no authentication here')),
    readBrowserRequest: () =>
      Promise.resolve({ member: undefined, formToken: 'form', timeZone: 'UTC', cookies: [] }),
    limits: {
      take: (_policy, _key, requests = 1) => ({
        allowed: true,
        admitted: requests,
        retryAfter: 0,
        headers: {},
      }),
    },
    addressOf: (request) => request.socket.remoteAddress ?? '',
    publicUrl: 'http://weft.test',
    largeBodies: new LargeBodies(),
    ...gate,
  }
}
