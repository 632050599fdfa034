/** A world for tests of networks: members with credentials, who call tools and import contacts on a real database. */

import assert from 'node:assert/strict'
import { createLog } from '../base/log.ts'
import { checkSchema } from '../base/schema.ts'
import { findTokenHolder, mintApiToken } from '../access/api-token.ts'
import { memberStatement } from '../db/statement.ts'
import { createInFlight } from '../guards/in-flight.ts'
import { createMember } from '../members/member.ts'
import type { RequestKey } from '../guards/idempotency-key.ts'
import { runTool, type ToolError, type ToolOutcome } from '../tools/run-tool.ts'
import { createStore, type TestStore } from '../../test/support/store.ts'
import { mergeContacts, type MergeResult } from './merge-contacts.ts'
import type { Caller } from '../http/caller.ts'
import type { MemberDatabase } from '../db/database.ts'
import type { Tool } from '../tools/tool.ts'
import type { ImportedContact, ImportFormat } from './imports/contact.ts'

export interface World extends TestStore {
  /** A new member, with a credential of their own. */
  join(): Promise<Acting>
}

export interface ImportOptions {
  readonly source?: ImportFormat
  readonly jobId?: number
  /** Contacts in one transaction. */
  readonly batch?: number
}

/** A member who acts. */
export interface Acting {
  readonly caller: Caller
  readonly db: MemberDatabase
  /** As by a node of its own: calls with the same key meet in the database alone. */
  call(tool: Tool, input?: object, once?: RequestKey): Promise<ToolOutcome>
  /** The output of a call that succeeds; checked against the tool's own schema and against what a client reads. */
  ask<Output>(tool: Tool, input?: object): Promise<Output>
  /** The error of a call that fails. */
  refused(tool: Tool, input?: object): Promise<ToolError>
  import(
    contacts: readonly Partial<ImportedContact>[],
    options?: ImportOptions,
  ): Promise<MergeResult[]>
}

export const MOST_ANSWERED = 25_000 // characters: what clients read of an answer

export async function createWorld(quota = 1_000_000): Promise<World> {
  const store = await createStore()
  const { database, clock } = store
  const log = createLog('silent')
  let members = 0
  let calls = 0

  async function join(): Promise<Acting> {
    members += 1
    const username = `member-${members}`
    const now = clock.now()
    const { memberId } = await database.write((tx) =>
      createMember(tx, { username, name: `Member ${members}` }, now),
    )
    const db = database.member(memberId)
    const { secret } = await db.write((tx) =>
      mintApiToken(tx, { name: 'test', holder: 'ai_client', lifetimeDays: null }, now),
    )
    const caller = await findTokenHolder(database, secret, now)
    assert.ok(caller)
    const call = (tool: Tool, input: object = {}, once?: RequestKey) => {
      calls += 1
      return runTool(
        { database, quota, log, inFlight: createInFlight() },
        tool,
        { caller, now: clock.now(), signal: NEVER, requestId: `req_${calls}`, once },
        input,
      )
    }
    return {
      caller,
      db,
      call,
      async ask<Output>(tool: Tool, input?: object) {
        const outcome = await call(tool, input)
        assert.ok(outcome.ok, JSON.stringify(outcome))
        const checked = checkSchema(tool.output, outcome.output)
        assert.deepEqual(checked.ok ? [] : checked.problems, [], tool.name)
        assert.ok(JSON.stringify(outcome.output).length < MOST_ANSWERED, `${tool.name} is too long`)
        return outcome.output as Output
      },
      async refused(tool, input) {
        const outcome = await call(tool, input)
        assert.ok(!outcome.ok, `${tool.name} was expected to fail`)
        return outcome.error
      },
      async import(contacts, { source = 'linkedin', jobId = 1, batch = contacts.length } = {}) {
        const whole = contacts.map(contact)
        const results: MergeResult[] = []
        for (let at = 0; at < whole.length; at += batch) {
          const context = { source, jobId, now: clock.now() }
          results.push(
            ...(await db.write((tx) => mergeContacts(tx, whole.slice(at, at + batch), context))),
          )
        }
        return results
      },
    }
  }
  return { ...store, join, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

/** A contact as a file gives it, with its fields in the order every reader writes them. */
export function contact(values: Partial<ImportedContact>): ImportedContact {
  return {
    name: values.name ?? 'Ada Lovelace',
    givenName: values.givenName ?? null,
    familyName: values.familyName ?? null,
    company: values.company ?? null,
    title: values.title ?? null,
    location: values.location ?? null,
    emails: values.emails ?? [],
    phones: values.phones ?? [],
    profileUrl: values.profileUrl ?? null,
    links: values.links ?? [],
    birthday: values.birthday ?? null,
    connectedOn: values.connectedOn ?? null,
    note: values.note ?? null,
    labels: values.labels ?? [],
  }
}

/** Every row of one member in a table, in the order of its key. */
export async function rowsOf(
  { database }: TestStore,
  { caller }: Acting,
  table:
    | 'connections'
    | 'connection_keys'
    | 'connection_tags'
    | 'notes'
    | 'import_changes'
    | 'activity'
    | 'activity_connections'
    | 'follow_ups',
): Promise<Record<string, unknown>[]> {
  const all = memberStatement<object, Record<string, unknown>>()(
    `select * from ${table} where member_id = :member_id order by 1, 2, 3`,
  )
  return database.member(caller.memberId).all(all, {})
}

export async function networkOf(store: TestStore, member: Acting): Promise<object> {
  return {
    connections: await rowsOf(store, member, 'connections'),
    keys: await rowsOf(store, member, 'connection_keys'),
    tags: await rowsOf(store, member, 'connection_tags'),
    notes: await rowsOf(store, member, 'notes'),
  }
}

const NEVER = new AbortController().signal
