import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestWorld, type Person, type World } from '../../../test/fixtures/agents.ts'
import {
  authorizeParameters,
  newPkce,
  oauthClient,
  openConsent,
  readFor,
  redirectOf,
  searchOf,
} from '../../../test/support/oauth.ts'
import { findLimits, listLimits } from '../../access/agent-limits.ts'
import { NO_LIMITS } from '../../http/caller.ts'
import { MIN_CONSENT_AGE_MS } from '../../oauth/consent/consent-timestamp.ts'
import { agentLimitsPath, AGENT_LIMITS_PATH } from '../../html/site-map.ts'
import type { Page } from '../../../test/support/visitor.ts'

/** The form as submitted with these choices: a checkbox that is not checked is not sent. */
async function send(
  { visitor }: Person,
  page: Page,
  fields: Readonly<Record<string, string>>,
  without: readonly string[] = [],
): Promise<Page> {
  const form = page.forms.find((one) => 'limit_access' in one.fields)
  assert.ok(form, page.text)
  const body = new URLSearchParams({ ...form.fields, ...fields })
  for (const name of without) body.delete(name)
  return visitor.post(form.action, body)
}

async function consent({ service }: World, person: Person, clientId: string) {
  const pkce = newPkce()
  const search = searchOf(authorizeParameters(clientId, pkce))
  const page = await openConsent(service, person.visitor, search.toString())
  const allow = (fields: Readonly<Record<string, string>>, without?: readonly string[]) =>
    send(
      person,
      page,
      { ...readFor(page, MIN_CONSENT_AGE_MS), decision: 'allow', ...fields },
      without,
    )
  return { page, allow, pkce }
}

const limitsForm = (page: Page) => page.forms.find((one) => 'limit_access' in one.fields)?.fields

test('limits chosen at consent hold, survive a refresh, and are offered when the app connects again', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const client = oauthClient(world.service)
  const clientId = await client.register()
  const first = await consent(world, ada, clientId)
  assert.equal(limitsForm(first.page)?.['limit_access'], 'all')
  const chosen = {
    limit_access: 'read',
    limit_text: 'yes',
    limit_credits: '40',
    limit_until: '2026-12-24',
  }
  const allowed = await first.allow(chosen, ['limit_allow_notes', 'limit_allow_profile'])
  const code = redirectOf(allowed).get('code') ?? ''
  const { body: tokens } = await client.exchange(clientId, code, first.pkce.verifier)
  const refreshed = await client.refresh(clientId, String(tokens['refresh_token']))
  const listed = await fetch(`${world.service.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${String(refreshed.body['access_token'])}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  const names = await listed.text()
  assert.match(names, /"search_connections"/)
  assert.doesNotMatch(names, /"(list_timeline|add_connections|update_profile)"/)
  const again = await consent(world, ada, clientId)
  const offered = limitsForm(again.page)
  for (const [field, value] of Object.entries(chosen)) assert.equal(offered?.[field], value, field)
  assert.equal(offered?.['limit_allow_notes'], undefined)
  assert.equal(offered?.['limit_allow_tags'], 'yes')
  assert.match(
    (await ada.show()).text,
    /Read only · Only: People and introductions, .* · No free text · 40 credits per month · Until 24 December 2026/,
  )
  world.service.clock.advance(Date.UTC(2026, 11, 25) - world.service.clock.now())
  const late = await client.refresh(clientId, String(refreshed.body['refresh_token']))
  assert.equal(late.body['error'], 'invalid_grant')
})

test('wrong limits are corrected on the consent page, and nothing is connected until then', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { allow } = await consent(world, ada, await oauthClient(world.service).register())
  const groups = [
    'connections',
    'duplicates',
    'tags',
    'notes',
    'follow_ups',
    'import',
    'export',
    'profile',
    'undo',
  ]
  const page = await allow(
    { limit_credits: '-5', limit_until: '2026-11-20' },
    groups.map((group) => `limit_allow_${group}`),
  )
  assert.equal(page.status, 422)
  assert.match(page.text, /Choose at least one\. /)
  assert.match(page.text, /Enter a whole number, or leave it empty\./)
  assert.match(page.text, /Choose today or a later date, or leave it empty\./)
  assert.equal(limitsForm(page)?.['limit_credits'], '-5')
  assert.equal((await listLimits(world.service.database.member(ada.memberId))).size, 0)
})

test('limits of a token are set when it is created and changed later, and both are in the activity', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const db = world.service.database.member(ada.memberId)
  await ada.make({ name: 'ci', limit_access: 'read', limit_credits: '5' })
  const [[credentialId, limits] = ['', NO_LIMITS]] = [...(await listLimits(db))]
  assert.deepEqual(limits, { ...NO_LIMITS, readOnly: true, monthlyCredits: 5 })
  const page = await ada.visitor.get(agentLimitsPath(credentialId))
  assert.match(page.text, /Limits for ci/)
  assert.deepEqual((await send(ada, page, { limit_credits: 'many' })).status, 422)
  const saved = await ada.visitor.follow(
    await send(ada, page, { limit_access: 'all', limit_credits: '' }),
  )
  assert.match(saved.text, /Limits saved\./)
  assert.deepEqual(await findLimits(db, credentialId), NO_LIMITS)
  assert.match((await ada.visitor.get('/user/activity')).text, /changed the limits of the agent ci/)
})

test('the limits of another member’s agent cannot be seen or changed', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const grace = await world.join('grace')
  await ada.make({ name: 'ci' })
  const [credentialId = ''] = [
    ...(await listLimits(world.service.database.member(ada.memberId))).keys(),
  ]
  assert.equal((await grace.visitor.get(agentLimitsPath(credentialId))).status, 404)
  const { formToken } = await grace.show()
  const form = {
    form_token: formToken,
    agent: credentialId,
    limit_access: 'read',
    limit_allow_tags: 'yes',
  }
  assert.equal((await grace.visitor.post(AGENT_LIMITS_PATH, form)).status, 404)
})
