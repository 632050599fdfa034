/** Where every page of the service is found: what its record's path alone does not say. */

import assert from 'node:assert/strict'
import { listApiTokens } from '../../src/access/api-token.ts'
import { createLink } from '../../src/access/one-time-link.ts'
import { addEndpoint, requireEndpoint } from '../../src/deliveries/endpoint-store.ts'
import { sendTest } from '../../src/deliveries/webhooks.ts'
import { DAY } from '../../src/base/clock.ts'
import { readGuides } from '../../src/discovery/docs/guides.ts'
import { changeRole } from '../../src/members/admin-role.ts'
import {
  ADMIN_PATH,
  AGENT_LIMITS_PATH,
  agentLimitsPath,
  CUSTOM_FIELD_ROUTE,
  customFieldPath,
  UNDO_PATH,
  VERIFY_EMAIL_PATH,
  webhookPath,
} from '../../src/html/site-map.ts'
import { importFile, planOf, connectionsCsv } from '../fixtures/import.ts'
import { createTestWorld as openMembers, type Person } from '../fixtures/agents.ts'
import { askTool } from '../fixtures/member.ts'
import {
  joinAddress,
  resetAddress,
  verifyAddress,
} from '../../src/sign-in/session/one-time-link-url.ts'
import { authorizeParameters, newPkce, oauthClient, queryOf } from '../support/oauth.ts'
import { openSignedIn, openVisitor, type Visitor } from '../support/visitor.ts'
import type { Route } from '../../src/http/route.ts'
import type { TestService } from '../support/service.ts'

/** A service with an admin who has some of everything and a member who has nothing. */
export interface Furnished extends AsyncDisposable {
  readonly service: TestService
  readonly visitors: Readonly<Record<Visit['who'], Visitor>>
  /** The paths of pages with parameters, keyed by route path. */
  readonly places: Readonly<Record<string, readonly string[]>>
}

export interface Visit {
  /** Undefined for error pages. */
  readonly route: Route | undefined
  /** A path with its query string. */
  readonly place: string
  readonly who: 'rich' | 'bare' | 'anonymous'
  readonly status: number
}

/** Every GET page, and the error pages. */
export function listVisits({ service, places }: Furnished): Visit[] {
  const pages = service.routes
    .filter(isPage)
    .filter(isOpenAnyTime)
    .flatMap((route) => {
      const { path, access } = route
      const given = places[path]
      assert.ok(
        given ?? !path.includes(':'),
        `GET ${path} is not tested. Add an example path to test/pages/visits.ts`,
      )
      const isOwn = access === 'session' || FOR_MEMBERS.has(path)
      const isSame = given !== undefined || path.startsWith(ADMIN_PATH)
      const who = !isOwn ? ANONYMOUS : isSame ? RICH : BOTH
      return (given ?? [path]).flatMap((place) =>
        who.map((one) => ({ route, place, who: one, status: 200 })),
      )
    })
  return [...pages, ...MISTAKES]
}

/** Some pages show the result of a form once, right after it, and redirect otherwise; tests of their forms open them. */
function isOpenAnyTime({ path }: Route): boolean {
  return path !== UNDO_PATH
}

/** Requires signing in first. */
const FOR_MEMBERS = new Set(['/oauth/authorize'])

const ANONYMOUS = ['anonymous'] as const
const RICH = ['rich'] as const
const BOTH = ['rich', 'bare'] as const

const MISTAKES: readonly Visit[] = (
  [
    ['/nowhere', 'anonymous', 404],
    ['/human/no-such-member', 'anonymous', 404],
    ['/docs/no-such-page', 'anonymous', 404],
    ['/network?cursor=x', 'anonymous', 400],
    ['/join', 'anonymous', 403],
    ['/reset', 'anonymous', 403],
    ['/oauth/authorize', 'anonymous', 400],
    ['/user/connections?page=x', 'rich', 400],
    ['/user/connections/c_999', 'rich', 404],
    ['/user/jobs/999', 'rich', 404],
    ['/user/credits?cursor=x', 'rich', 400],
  ] as const
).map(([place, who, status]) => ({ route: undefined, place, who, status }))

/** Whether the route returns HTML. */
function isPage({ method, answers, access, path }: Route): boolean {
  if (method !== 'GET' || NOT_PAGES.has(path)) return false
  const types = [answers[200]?.type ?? []].flat()
  const isForBrowsers = access === 'session' || access === 'browser'
  return isForBrowsers || types.some((type) => type.startsWith('text/html'))
}

/** Data, files and redirects. */
const NOT_PAGES = new Set([
  '/join/username',
  '/tour',
  '/tour/end',
  '/user/account/delete',
  '/user/briefing',
  '/user/account/export/:export_id',
  '/user/connections/columns',
  '/user/connections/suggestions',
  '/user/exports/:export_id',
  '/user/jobs/:job_id/events',
  '/user/jobs/:job_id/rejected.csv',
  '/user/palette',
  '/user/photos/:photo_id',
  '/user/photos/:photo_id/small',
  '/user/search',
])

export async function openFurnished(): Promise<Furnished> {
  await using opening = new AsyncDisposableStack()
  const members = opening.use(await openMembers({ smtp: NO_MAIL_SERVER }))
  const { service } = members
  const rich = await members.join('ada')
  const bare = await members.join('bare')
  const own = await furnish(service, rich)
  const places = { ...own, ...(await publicPlaces(service)) }
  const opened = opening.move()
  return {
    service,
    visitors: { rich: rich.visitor, bare: bare.visitor, anonymous: openVisitor(service.url) },
    places,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Has the pages about email. Nothing sends any in these tests. */
const NO_MAIL_SERVER = {
  host: '127.0.0.1',
  port: 9,
  isImplicitTls: false,
  credentials: null,
  from: 'weft@example.org',
} as const

/** Creates sample data and returns the paths of its pages. */
async function furnish(service: TestService, ada: Person) {
  await service.database.write((tx) => changeRole(tx, ada.memberId, 'admin'))
  await openSignedIn(service, ada)
  const token = await ada.make({ name: 'Claude' })
  await ada.make({ name: 'nightly', holder: 'new', agent_name: 'Night shift' })
  await ada.connect('Cursor', 'cursor://anysphere.cursor-mcp/oauth/callback')
  const ask = (tool: string, input: object) => askTool(service.url, token, tool, input)
  for (const field of CUSTOM_FIELDS) await ask('set_custom_field', field)
  for (const one of PEOPLE) await ask('add_connections', one)
  await ask('save_follow_up', {
    people: 'c_1',
    text: 'Call',
    due_on: '2026-11-20',
    recurrence: 'monthly',
  })
  await ask('save_follow_up', { people: 'c_3', text: 'Write', due_on: '2027-02-01' })
  await ask('save_follow_up', { text: 'Call', due_on: '2027-05-31', time: '09:30' })
  const lunch = { people: ['c_1', 'c_2'], kind: 'meeting', on: '2026-01-05', time: '12:30' }
  await ask('log_interaction', { ...lunch, subject: 'Lunch', text: 'Soup\nand bread' })
  await ask('keep_in_touch', { people: ['c_1', 'c_2'], every: 6, unit: 'week' })
  await ask('delete_connections', { people: ['c_4'] })
  await ask('update_connections', { people: 'c_1', title: 'Rear admiral' })
  await ask('update_connections', { people: 'c_3', company: 'NPL' })
  await ask('resolve_duplicates', { action: 'merge', keep_id: 'c_5', merge_ids: ['c_6'] })
  await failToConnect(service)
  service.clock.advance(DAY)
  const person = { ...ada, ask: (tool: string, input: object = {}) => ask(tool, input) }
  const jobId = await importFile(
    person,
    connectionsCsv([
      ['Edith', 'Clarke', 'GE'],
      ['', '', ''],
    ]),
  )
  const plan = await planOf(person, UNCLEAR_FILE)
  const webhook = await addSampleWebhook(service, ada)
  const [agent] = await listApiTokens(service.database.member(ada.memberId))
  assert.ok(agent)
  return {
    '/user/connections': [
      '/user/connections',
      '/user/connections?q=harvard',
      '/user/connections?q=zzz',
      '/user/connections?jobs=changed',
      '/user/connections?field=cf_1&value=Gold',
      '/user/connections?company=x&silent=90&sort=-contact',
    ],
    '/user/connections/:id': [
      '/user/connections/c_1',
      '/user/connections/c_1?edit=n_1',
      '/user/connections/c_1?edit=i_1',
      '/user/connections/c_1?edit=contact',
      '/user/search?then=log',
      '/user/connections/c_1?in=&edit=title',
      '/user/connections/c_5',
    ],
    [AGENT_LIMITS_PATH]: [agentLimitsPath(agent.tokenId)],
    [CUSTOM_FIELD_ROUTE]: [customFieldPath('cf_1')],
    [VERIFY_EMAIL_PATH]: [await verificationOf(service, ada)],
    '/user/connections/:id/edit': ['/user/connections/c_1/edit'],
    '/user/connections/:id/notes/:entry_id': ['/user/connections/c_1/notes/n_1'],
    '/user/connections/:id/interactions/:entry_id': ['/user/connections/c_1/interactions/i_1'],
    '/user/connections/:id/follow-ups/:entry_id': ['/user/connections/c_1/follow-ups/f_1'],
    '/user/follow-ups/:entry_id': ['/user/follow-ups/f_3'],
    '/admin/members/:username': ['/admin/members/bare'],
    '/user/import/:upload_id': [new URL(plan).pathname],
    [webhookPath(':endpoint_id')]: [webhookPath(webhook)],
    '/user/jobs/:job_id': [`/user/jobs/${jobId}`],
  }
}

/** With a message that is queued, and an iPhone. */
async function addSampleWebhook({ database, clock }: TestService, { memberId }: Person) {
  const address = {
    address: 'sealed',
    addressHint: 'hooks.example.org/…x',
    host: 'hooks.example.org',
  }
  const webhook = { kind: 'webhook', name: 'House', format: 'standard', ...address } as const
  const phone = { kind: 'push', name: 'Safari on iOS', format: 'push', ...address } as const
  return database.member(memberId).write(async (tx) => {
    await addEndpoint(tx, { ...phone, causes: ['summary'] }, clock.now())
    const id = await addEndpoint(tx, { ...webhook, causes: ['summary'] }, clock.now())
    await sendTest(tx, await requireEndpoint(tx, id), clock.now())
    return id
  })
}

/** An app that asks for a token and then stops. */
async function failToConnect({ url }: TestService): Promise<void> {
  await fetch(`${url}/mcp`, { method: 'POST', headers: { 'user-agent': 'lost' } })
}

async function verificationOf({ database, clock }: TestService, { memberId }: Person) {
  const email = { email: 'ada@example.org', emailId: 'email_1' }
  const link = { purpose: 'verify', memberId, lifetime: DAY, sentTo: email } as const
  const { secret } = await database.write((tx) => createLink(tx, link, clock.now()))
  return verifyAddress('', secret)
}

/** Has a date that cannot be read, a text over a limit, and a row without a person. */
const UNCLEAR_FILE = [
  'First Name,Company,Birthday,Shoe size',
  `Mary,RAS,31/31/1780,${'4'.repeat(9)}`,
  `${'Ida '.repeat(200)},GE,,`,
  ',RAS,,',
  '',
].join('\r\n')

const CUSTOM_FIELDS = [
  { name: 'Tier', kind: 'choice', choices: ['Gold', 'Silver'] },
  { name: 'Project', kind: 'url' },
]

const PEOPLE = [
  {
    name: 'Grace Hopper',
    company: 'US Navy',
    emails: ['grace@navy.example'],
    tags: ['pioneer'],
    note: 'Met at Harvard.',
    details: { nickname: 'Amazing Grace', custom: { Tier: 'Gold', Project: 'https://x.example' } },
  },
  { name: 'Hopper, Grace', emails: ['grace@navy.example'], allow_duplicate: true },
  {
    name: 'Alan Turing',
    company: 'Bletchley Park',
    location: 'London',
    phones: ['+44 20 7946 0000'],
  },
  { name: 'Ada Byron' },
  { name: 'Mary Fairfax' },
  { name: 'Mary Fairfax Somerville' },
]

async function publicPlaces(service: TestService) {
  const { database, clock, url } = service
  const { memberId } = await service.addMember({ username: 'reset', name: 'Forgetful' })
  const lifetime = 9 * DAY
  const [invitation, reset] = await database.write(async (tx) => [
    await createLink(tx, { purpose: 'invite', lifetime }, clock.now()),
    await createLink(tx, { purpose: 'reset', lifetime, memberId }, clock.now()),
  ])
  const request = authorizeParameters(await oauthClient({ url }).register(), newPkce())
  const guides = readGuides(url).map(({ name }) => name)
  return {
    '/join': [joinAddress('', invitation.secret)],
    '/reset': [resetAddress('', reset.secret)],
    '/oauth/authorize': [`/oauth/authorize?${queryOf(request)}`],
    '/human/:username': ['/human/ada', '/human/bare'],
    '/sandbox/human/:username': ['/sandbox/human/demo'],
    '/network': ['/network', '/network?q=ada', '/network?q=zzz'],
    '/forgot-password': ['/forgot-password', '/forgot-password?requested'],
    '/docs': ['/docs', '/docs?q=token', '/docs?q=zzz'],
    '/docs/:name': guides.map((name) => `/docs/${name}`),
    '/sandbox/docs/:name': ['/sandbox/docs/connect'],
  }
}
