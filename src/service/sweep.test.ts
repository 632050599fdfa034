import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR } from '../base/clock.ts'
import { statement } from '../db/statement.ts'
import { memberBrowser, oauthClient } from '../../test/support/oauth.ts'
import { startTestService } from '../../test/support/service.ts'
import { sweep } from './sweep.ts'

const CLIENTS = statement<object, { client_id: string }>('select client_id from oauth_clients')

test('what has expired is taken away, and nothing before its time', async () => {
  await using service = await startTestService()
  const { database, clock, url } = service
  const ada = await memberBrowser(service, { username: 'ada', name: 'Ada' })
  const client = oauthClient(service)
  const [used, unused] = [await client.register(), await client.register()]
  const tokens = await ada.connect(used)
  const keyed = (key: string) =>
    client.post('/oauth/register', JSON.stringify({ redirect_uris: ['https://a.example/'] }), {
      'content-type': 'application/json',
      'idempotency-key': key,
    })
  const { body: kept } = await keyed('k')

  assert.equal(await sweep(database, clock.now() + HOUR), 0)
  clock.advance(13 * DAY)
  assert.equal(await sweep(database, clock.now()), 2) // the kept answer, the first link
  clock.advance(DAY)
  assert.equal(await sweep(database, clock.now()), 1) // the browser session
  assert.equal(
    (await fetch(`${url}/sign-in`, { headers: { cookie: ada.cookie } })).status < 500,
    true,
  )
  const refreshed = await client.refresh(used, tokens.refresh_token)
  assert.equal(refreshed.status, 200)
  clock.advance(17 * DAY)
  assert.equal(await sweep(database, clock.now()), 2) // clients that nobody let in
  const left = (await database.all(CLIENTS, {})).map(({ client_id }) => client_id)
  assert.deepEqual(left, [used])
  assert.ok(![unused, String(kept['client_id'])].includes(used))
  clock.advance(60 * DAY)
  assert.equal(await sweep(database, clock.now()), 1) // the grant, with all its tokens
  assert.equal((await client.refresh(used, String(refreshed.body['refresh_token']))).status, 400)
})
