import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../src/base/log.ts'
import { RequestError } from '../../src/base/request-error.ts'
import { assetRoutes } from '../../src/html/assets.route.ts'
import { errorPage } from '../../src/html/message.page.ts'
import { assemble } from '../../src/http/http-service.ts'
import { defineRoute, type Route } from '../../src/http/route.ts'
import { browserMissing, openBrowser } from '../support/browser.ts'
import { openGate } from '../support/gate.ts'
import { startTestService } from '../support/service.ts'
import { complaintsOf, judge, PHONE } from './judge.ts'

test('a rate-limited page says when to try again', { skip: browserMissing }, async () => {
  await using service = await startTestService({
    rateLimits: { directory: { quota: 1, window: 60 } },
  })
  await using opened = await openBrowser()
  const page = await opened.browser.newPage({ viewport: PHONE })
  await page.goto(`${service.url}/network?q=ada`)
  const answer = await page.goto(`${service.url}/network`)
  assert.equal(answer?.status(), 429)
  assert.match((await answer.headerValue('retry-after')) ?? '', /^\d+$/)
  await page.getByText(/Rate limit exceeded\. Try again in \d+ seconds\./).waitFor()
  await judge(page, 'too many requests')
})

test('an error page says so and shows the request ID', { skip: browserMissing }, async () => {
  await using world = await serve([
    failing('/broken', new Error('with something secret in it')),
    failing(
      '/away',
      new RequestError('unavailable', 'Too many requests at once.', { retryAfter: 5 }),
    ),
  ])
  await using opened = await openBrowser()
  for (const [path, status] of [
    ['/broken', 500],
    ['/away', 503],
  ] as const) {
    const page = await opened.browser.newPage({ viewport: PHONE })
    const complaints = complaintsOf(page)
    const answer = await page.goto(world.url + path)
    assert.equal(answer?.status(), status)
    await page.getByText(/^Request req_/).waitFor()
    assert.equal(await page.getByText('secret').count(), 0)
    await judge(page, path)
    assert.deepEqual(complaints, [])
  }
})

function failing(path: string, error: Error): Route {
  return defineRoute({
    method: 'GET',
    path,
    operationId: path,
    summary: path,
    access: 'public',
    answers: {},
    handle: () => Promise.reject(error),
  })
}

async function serve(routes: readonly Route[]) {
  const http = assemble({
    ...openGate(),
    routes: [...assetRoutes(), ...routes],
    log: createLog('silent'),
    errorPage: errorPage,
  })
  const port = await http.listen('127.0.0.1', 0)
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  }
}
