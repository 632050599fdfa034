/** A whole service for tests, with its own database, a free port, a manual clock and no log. */

import { mintApiToken } from '../../src/access/api-token.ts'
import { createLog } from '../../src/base/log.ts'
import { openMigratedDatabase, type OpenedDatabase } from '../../src/db/engines/open.ts'
import { createMember, requireMemberByUsername } from '../../src/members/member.ts'
import { type Member } from '../../src/members/member-row.ts'
import { localUrl, readConfig, type Config } from '../../src/config/config.ts'
import { createService, type Service } from '../../src/service/service.ts'
import {
  borrowSeeded,
  createDatabaseLocation,
  fixedClock,
  type FixedClock,
  type DatabaseLocation,
} from './store.ts'
import type { FetchPolicy } from '../../src/http/public-fetch/public-fetch.ts'
import type { ClientDocuments } from '../../src/oauth/client-document.ts'
import { quickHasher } from './password.ts'
import type { PasswordHasher } from '../../src/access/passwords/password-hash.ts'
import type { Route } from '../../src/http/route.ts'
import type { NewMember } from '../../src/members/member-fields.ts'
import type { Log } from '../../src/base/log.ts'

export interface TestService
  extends AsyncDisposable, Pick<Service, 'database' | 'metricsPort' | 'drain'> {
  /** The URL of the listener, without a trailing slash. Also the public URL, unless another one was given. */
  readonly url: string
  readonly port: number
  readonly clock: FixedClock
  /** `WEFT_DATABASE` of this service. */
  readonly address: string
  /** Everything stored, as one string. */
  everything(): Promise<string>
  /** Its route records. */
  readonly routes: readonly Route[]
  /** Adds a member; Ada Lovelace (`ada`) by default. */
  addMember(fields?: Partial<NewMember>): Promise<Member>
  /** Creates an API token for an existing member. */
  mintToken(username?: string): Promise<string>
}

export interface TestServiceOptions extends Partial<Config> {
  /** Silent by default. */
  readonly log?: Log
  readonly documents?: ClientDocuments
  readonly calendarFetch?: Partial<FetchPolicy>
  readonly schemaIntervalMs?: number
  /** `quickHasher` by default; null for the default of a service. */
  readonly hasher?: PasswordHasher | null
}

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const reused = opensDatabase(options) ? undefined : await borrowSeeded()
  const place = reused?.location ?? (await createDatabaseLocation('seeded'))
  const service = await serveAt(place, fixedClock(), options, reused && keepOpen(reused.opened))
  return {
    ...service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await (reused ?? place)[Symbol.asyncDispose]()
    },
  }
}

/** Whether the service has to open its database itself. */
function opensDatabase(options: TestServiceOptions): boolean {
  const named = ['database', 'databaseConnections', 'databaseTimeoutSeconds', 'metrics'] as const
  return named.some((name) => options[name] !== undefined)
}

/** The database stays open when the service closes it. */
function keepOpen(opened: OpenedDatabase): OpenedDatabase {
  const database = new Proxy(opened.database, {
    get(target, key) {
      if (key === Symbol.asyncDispose) return async () => {}
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { ...opened, database }
}

/** Two nodes on one database with one clock. Each has its own public URL. */
export interface TwoServices extends AsyncDisposable {
  readonly one: TestService
  readonly other: TestService
  readonly clock: FixedClock
}

export async function startTwoServices(options: TestServiceOptions = {}): Promise<TwoServices> {
  const place = await createDatabaseLocation('seeded')
  const clock = fixedClock()
  const one = await serveAt(place, clock, options)
  const other = await serveAt(place, clock, options)
  return {
    one,
    other,
    clock,
    async [Symbol.asyncDispose]() {
      await Promise.all([one[Symbol.asyncDispose](), other[Symbol.asyncDispose]()])
      await place[Symbol.asyncDispose]()
    },
  }
}

/** The database is kept when the service ends. */
async function serveAt(
  place: DatabaseLocation,
  clock: FixedClock,
  {
    log = createLog('silent'),
    documents,
    calendarFetch,
    schemaIntervalMs,
    hasher = quickHasher,
    ...overrides
  }: TestServiceOptions,
  opened?: OpenedDatabase,
): Promise<TestService> {
  const config: Config = {
    ...readConfig({}),
    database: place.database,
    // One listener: a port that is free at 127.0.0.1 may be taken at ::1.
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    searchThreads: 1,
    ...overrides,
  }
  const service = await createService(config, {
    clock,
    log,
    // The place is a copy of a migrated database.
    ...(overrides.database === undefined && {
      openDatabase: opened ? async () => opened : openMigratedDatabase,
    }),
    ...(documents && { documents }),
    ...(calendarFetch && { calendarFetch }),
    ...(hasher && { hasher }),
    ...(schemaIntervalMs !== undefined && { schemaIntervalMs }),
  })
  service.start()
  const { database, port } = service
  const routes = await service.listRoutes()
  const url = localUrl(config.host, port)
  let tokens = 0
  return {
    url,
    port,
    clock,
    address: place.address,
    database,
    routes,
    metricsPort: service.metricsPort,
    drain: () => service.drain(),
    everything: () => place.everything(),
    addMember: (fields) =>
      database.write((tx) =>
        createMember(tx, { username: 'ada', name: 'Ada Lovelace', ...fields }, clock.now()),
      ),
    async mintToken(username = 'ada') {
      const { memberId } = await requireMemberByUsername(database, username)
      tokens += 1
      const token = {
        name: `test ${port} ${tokens}`,
        holder: 'ai_client',
        lifetimeDays: null,
      } as const
      const mint = database.member(memberId)
      return (await mint.write((tx) => mintApiToken(tx, token, clock.now()))).secret
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}
