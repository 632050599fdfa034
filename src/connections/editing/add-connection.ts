/** Adds a connection and records the change, for the tool and the form. */

import { draftConnection, storeNewConnection } from './edit.ts'
import { findDuplicate, type KnownPerson } from './find-duplicate.ts'
import { changeOfOne } from '../person/snapshot.ts'
import { readDetailChanges } from './detail-input.ts'
import { NO_DETAILS } from '../../contact-files/contact/details.ts'
import { changesOfNew, type NewInput } from './connection-input.ts'
import { nameKey } from '../../base/tokenize.ts'
import type { Connection } from '../model/connection.ts'
import type { CreatePerson } from './relation-input.ts'
import type { WholeConnection } from '../person/whole-connection.ts'
import type { Changing, WriteCall } from '../../tools/tool.ts'

type AddResult =
  | {
      readonly added: WholeConnection
      /** ID of the change in the activity log. */
      readonly activityId: number
    }
  /** An existing connection that seems to be the same person; nothing was added. */
  | { readonly duplicate: Connection }

/** @throws {RequestError} `invalid_request` when a value cannot be parsed. */
export async function addConnection(
  { tx, now, record }: Changing,
  input: NewInput,
): Promise<AddResult> {
  const person = await storeUnlessDuplicate({ tx, now }, input)
  if ('known' in person) return { duplicate: person.known.connection }
  const { added } = person
  return { added, activityId: await record(changeOfOne(added)) }
}

/** A person who was stored, or the existing connection that seems to be the same person. */
type NewPerson = { readonly added: WholeConnection } | { readonly known: KnownPerson }

/**
 * Adds a connection without recording the change. `create` adds the people of relations.
 *
 * @throws {RequestError} `invalid_request` when a value cannot be parsed.
 */
export async function storeUnlessDuplicate(
  { tx, now }: Pick<WriteCall, 'tx' | 'now'>,
  input: NewInput,
  create?: CreatePerson,
): Promise<NewPerson> {
  const details = await readDetailChanges(tx, input.details, NO_DETAILS, create)
  const changes = changesOfNew(input, details)
  const draft = draftConnection(changes, now)
  const known = input.allow_duplicate === true ? undefined : await findDuplicate(tx, draft)
  if (known) return { known }
  return { added: await storeNewConnection(tx, draft, changes, now) }
}

/** Returns what adds people with only a name, each name once. The caller records those in `created`. */
export function personAdder({ tx, now }: Pick<WriteCall, 'tx' | 'now'>): {
  readonly create: CreatePerson
  readonly created: readonly { readonly after: WholeConnection }[]
} {
  const created = new Map<string, WholeConnection>()
  return {
    async create(name) {
      const changes = changesOfNew({ name }, [])
      const draft = draftConnection(changes, now)
      const key = nameKey(draft.name)
      const person = created.get(key) ?? (await storeNewConnection(tx, draft, changes, now))
      created.set(key, person)
      return person.connection
    },
    get created() {
      return [...created.values()].map((after) => ({ after }))
    },
  }
}
