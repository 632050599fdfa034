/** A service with one member and invented sample data, for screenshots. */

import { mintApiToken } from '../src/access/api-token.ts'
import { DAY, MINUTE } from '../src/base/clock.ts'
import { DEMO_MEMBER } from '../src/connections/demo/demo-member.ts'
import { demoFaces } from '../src/connections/demo/demo-people.ts'
import { askTool } from '../test/fixtures/member.ts'
import { seedNetwork } from '../src/acts/demo-network.ts'
import { memberBrowser, oauthClient, type MemberBrowser } from '../test/support/oauth.ts'
import { givePassword } from '../test/support/password.ts'
import { startTestService, type TestService } from '../test/support/service.ts'
import { openSignedIn, type Visitor } from '../test/support/visitor.ts'

export interface InventedMember extends AsyncDisposable {
  readonly visitor: Visitor
}

const USERNAME = 'robin'
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const EMAIL = 'robin@hedgerow-and-tide.example.com'

/** When it returns, the clock is at the start time of tests. */
export async function startInventedMember(): Promise<InventedMember> {
  // Screenshots show the default port, which must be free.
  const service = await startTestService({ port: 8787 })
  const { clock, database } = service
  clock.advance(-WORK.length * DAY - STEP)
  const profile = {
    ...DEMO_MEMBER,
    skills: [...DEMO_MEMBER.skills],
    links: [...DEMO_MEMBER.links],
    username: USERNAME,
    email: EMAIL,
  }
  const browser = await memberBrowser(service, profile)
  await givePassword(service, browser.member)
  const own = database.member(browser.member.memberId)
  await own.write((tx) => seedNetwork(tx, clock.now(), demoFaces()))
  const claude = await connect(
    service,
    browser,
    'Claude',
    'https://claude.ai/api/mcp/auth_callback',
  )
  clock.advance(STEP)
  const cursor = await connect(service, browser, 'Cursor', 'cursor://anysphere.cursor-mcp/callback')
  const agents = { Claude: claude, Cursor: cursor }
  const token = { name: 'Laptop', holder: 'ai_client', lifetimeDays: 90 } as const
  await own.write((tx) => mintApiToken(tx, token, clock.now()))
  for (const calls of WORK) {
    clock.advance(DAY - calls.length * STEP)
    for (const [agent, tool, input] of calls) {
      clock.advance(STEP)
      await askTool(service.url, await agents[agent].token(), tool, input)
    }
  }
  return {
    visitor: await openSignedIn(service, browser.member, USER_AGENT),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

interface Agent {
  /** A new access token, because one expires after an hour. */
  token(): Promise<string>
}

async function connect(
  service: TestService,
  browser: MemberBrowser,
  name: string,
  redirectUri: string,
): Promise<Agent> {
  const client = oauthClient(service)
  const clientId = await client.register([redirectUri], { client_name: name })
  let { refresh_token } = await browser.connect(clientId, { redirect_uri: redirectUri })
  return {
    async token() {
      const { body } = await client.refresh(clientId, refresh_token)
      refresh_token = String(body['refresh_token'])
      return String(body['access_token'])
    },
  }
}

const STEP = 17 * MINUTE

type Call = readonly ['Claude' | 'Cursor', string, object]

const look = (query: string): Call => ['Claude', 'search_connections', { query }]
const read = (connection_id: string): Call => [
  'Claude',
  'get_connections',
  { people: [connection_id] },
]
const note = (connection_id: string, text: string): Call => [
  'Claude',
  'save_note',
  { people: connection_id, text },
]
const plan = (connection_id: string, text: string, due_on: string, recurrence = 'none'): Call => [
  'Claude',
  'save_follow_up',
  { people: connection_id, text, due_on, recurrence },
]

/** The calls of each day; the last day is today. */
const WORK: readonly (readonly Call[])[] = [
  [look('heat pumps'), read('c_1'), look('investors in Berlin')],
  [look('grid flexibility'), look('Oslo')],
  [],
  [],
  [['Claude', 'find_introductions', { target: 'Mosswright' }], look('harbour'), read('c_4')],
  [
    look('design studio'),
    plan('c_2', 'Send the pilot numbers before she changes funds', '2026-11-18'),
  ],
  [
    ['Cursor', 'get_network_summary', {}],
    ['Cursor', 'search_connections', {}],
  ],
  [look('who sells into Nordic supermarkets'), look('solar fridges for vaccines'), read('c_9')],
  [],
  [],
  [look('first customers'), look('utilities'), ['Claude', 'find_duplicates', {}]],
  [plan('c_4', 'Ask about the board seat', '2026-11-21'), look('embedded engineers')],
  [
    note('c_1', 'Wants to see two paying utilities first. Back in touch in December.'),
    look('Lund'),
  ],
  [['Cursor', 'search_connections', {}], look('term sheets'), look('recruiters for climate')],
  [
    [
      'Claude',
      'update_connections',
      { people: ['c_1', 'c_2', 'c_3'], tags: { add: ['seed round'] } },
    ],
  ],
  [],
  [look('peatland'), plan('c_12', 'Visit the monitoring sites', '2026-12-04', 'yearly')],
  [
    look('who writes first cheques for heat'),
    read('c_1'),
    note('c_1', 'Lunch moved to Thursday; he brings the partner who runs the grid portfolio.'),
    plan('c_1', 'Confirm Thursday lunch in Kreuzberg', '2026-11-24'),
    ['Claude', 'update_connections', { people: ['c_3'], title: 'Partner' }],
  ],
]
