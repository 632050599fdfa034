/** `/push-worker.js`: the service worker of web push. */

import { readFileSync } from 'node:fs'
import { lazy } from '../../base/lazy.ts'
import { content } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { PUSH_WORKER_PATH } from '../../html/site-map.ts'

const TYPE = 'text/javascript; charset=utf-8'

export function pushWorkerRoute(): Route {
  return defineRoute({
    method: 'GET',
    path: PUSH_WORKER_PATH,
    operationId: 'readPushWorker',
    summary: 'Service worker that shows notifications (W3C Push API)',
    access: 'public',
    forPeople: true,
    answers: { 200: { description: 'The script', type: TYPE, headers: ['ETag'] } },
    // Browsers look for a new version with each navigation.
    handle: async () => content(script(), TYPE, 200, { 'cache-control': 'no-cache' }),
  })
}

const script = lazy(() =>
  readFileSync(new URL('../../html/assets/push-worker.js', import.meta.url), 'utf8'),
)
