/** The pages of this room on a server and a database of their own, for the room's tests. */

import { freePort } from '../../test/support/service.ts'
import { createStore, type TestStore } from '../../test/support/store.ts'
import { openGate } from '../../test/support/gate.ts'
import { givePassword, PASSWORD } from '../../test/support/password.ts'
import { openVisitor, type Page, type Visitor } from '../../test/support/visitor.ts'
import { visitOpener } from '../access/browser-session.ts'
import { createLink, type NewLink } from '../access/one-time-link.ts'
import { createPasswordHasher } from '../access/password-hash.ts'
import { DAY } from '../base/clock.ts'
import { createLog } from '../base/log.ts'
import { json } from '../http/answer.ts'
import { assemble } from '../http/assemble.ts'
import { defineRoute } from '../http/route.ts'
import { createMember, type Member } from '../members/member.ts'
import { signInRoutes, type SignInParts } from './routes.ts'
import { MEMBERS_HOME } from './return-path.ts'
import type { NewMember } from '../members/member-fields.ts'

export interface SignInWorld extends AsyncDisposable, Omit<TestStore, 'address'> {
  readonly url: string
  /** What was logged. */
  readonly logged: readonly string[]
  visitor(): Visitor
  /** Ada Lovelace (`ada`, ada@example.org) unless told otherwise, with `PASSWORD`. */
  addMember(fields?: Partial<NewMember>): Promise<Member>
  addLink(link: Partial<NewLink> & Pick<NewLink, 'purpose'>): Promise<string>
  /** Signed in by the sign-in page. */
  signedIn(login?: string): Promise<Visitor>
}

export interface WorldOptions extends Partial<Pick<SignInParts, 'signUp' | 'oidc'>> {
  /** Where a request says it comes from; this machine unless given. */
  readonly addressOf?: (header: (name: string) => string | undefined) => string
}

const HASHER = createPasswordHasher()

export async function openSignIn(options: WorldOptions = {}): Promise<SignInWorld> {
  const { signUp = 'invite', oidc = null, addressOf = () => '127.0.0.1' } = options
  const store = await createStore()
  const { database, clock } = store
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const logged: string[] = []
  const log = createLog('debug', { write: (line) => void logged.push(line) })
  const http = assemble({
    ...openGate({
      openVisit: visitOpener({ database, clock, publicUrl: url }),
      addressOf: ({ headers }) => addressOf((name) => headers[name]?.toString()),
      publicUrl: url,
    }),
    routes: [
      ...signInRoutes({ database, clock, log, hasher: HASHER, publicUrl: url, signUp, oidc }),
      memberRoute('/', 'browser'),
      memberRoute(MEMBERS_HOME, 'browser'),
      memberRoute('/user/here', 'session'),
      memberRoute('/oauth/authorize', 'session'),
    ],
    log,
  })
  await http.listen('127.0.0.1', port)
  const visitor = () => openVisitor(url)
  return {
    ...store,
    url,
    logged,
    visitor,
    async addMember(fields = {}) {
      const ada = { username: 'ada', name: 'Ada Lovelace', email: 'ada@example.org' }
      const named = { ...ada, ...fields }
      const member = await database.write((tx) => createMember(tx, named, clock.now()))
      await givePassword(store, member)
      return member
    },
    async addLink(link) {
      const made = { lifetime: DAY, ...link }
      return (await database.write((tx) => createLink(tx, made, clock.now()))).secret
    },
    async signedIn(login = 'ada@example.org') {
      const person = visitor()
      await signIn(person, login)
      return person
    },
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

/** By the page, as a person does. */
export async function signIn(
  visitor: Visitor,
  login: string,
  password: string = PASSWORD,
): Promise<Page> {
  return visitor.submit(await visitor.get('/sign-in'), { login, password })
}

/** Who this browser is signed in as, by its username. */
export async function whoIs(visitor: Visitor): Promise<string | undefined> {
  return (await homeOf(visitor)).username
}

/** Of a form on any page that this browser is shown. */
export async function formTokenOf(visitor: Visitor): Promise<string> {
  return (await homeOf(visitor)).formToken
}

async function homeOf(visitor: Visitor): Promise<{ username?: string; formToken: string }> {
  return JSON.parse((await visitor.get('/')).html) as { username?: string; formToken: string }
}

/** A page that says who sees it, and what its forms would carry. */
function memberRoute(path: string, access: 'browser' | 'session') {
  return defineRoute({
    method: 'GET',
    path,
    operationId: `read${path}`,
    summary: 'For tests',
    access,
    answers: { 200: { description: 'Who is signed in' } },
    handle: ({ visit: { member, formToken } }) =>
      Promise.resolve(json({ username: member?.username, formToken })),
  })
}
