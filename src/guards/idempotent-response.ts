/** Idempotent HTTP writes: the effect and the response commit together, and retries replay the response. */

import {
  findAnonymousAnswer,
  findAnswer,
  recordAnonymousAnswer,
  recordAnswer,
  REPLAYED,
} from './idempotency-record.ts'
import type { Database, MemberDatabase, MemberTransaction, Transaction } from '../db/database.ts'
import type { Answer } from '../http/response.ts'
import type { RequestKey } from './idempotency-key.ts'
import type { InFlight } from './in-flight.ts'

interface OnceDeps {
  /** Undefined without an Idempotency-Key. */
  readonly key: RequestKey | undefined
  readonly inFlight: InFlight
  readonly now: number
}

/** For members. `work` must be the whole effect. Errors are not stored, so a corrected request may reuse the key. */
export async function respondOnce(
  db: MemberDatabase,
  { key, inFlight, now }: OnceDeps,
  work: (tx: MemberTransaction) => Promise<Answer>,
): Promise<Answer> {
  if (!key) return db.write(work)
  return joined(inFlight, key, () =>
    db.write(async (tx) => {
      const kept = await findAnswer(tx, key, now)
      if (kept !== undefined) return replay(kept)
      const answer = await work(tx)
      await recordAnswer(tx, key, JSON.stringify(answer), now)
      return answer
    }),
  )
}

export interface AnswerStorage {
  store(answer: Answer): string
  restore(stored: string): Promise<Answer>
}

/** The same for anonymous requests, scoped to the client address. */
export async function respondOnceAnonymous(
  database: Database,
  { key, inFlight, now }: OnceDeps,
  storage: AnswerStorage,
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Answer> {
  if (!key) return database.write(work)
  return joined(inFlight, key, async () => {
    const kept = await findAnonymousAnswer(database, key, now)
    if (kept !== undefined) return replayed(await storage.restore(kept))
    try {
      return await database.write(async (tx) => {
        const answer = await work(tx)
        if (await recordAnonymousAnswer(tx, key, storage.store(answer), now)) return answer
        throw new AnsweredElsewhere()
      })
    } catch (error) {
      const other =
        error instanceof AnsweredElsewhere
          ? await findAnonymousAnswer(database, key, now)
          : undefined
      if (other === undefined) throw error
      return replayed(await storage.restore(other))
    }
  })
}

/** Aborts the transaction when another process answered the same request first. */
class AnsweredElsewhere extends Error {}

async function joined(
  inFlight: InFlight,
  key: RequestKey,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const { value, joined: isReplay } = await inFlight.join(key, run)
  return isReplay ? replayed(value) : value
}

/** Reverses the `JSON.stringify` of a stored text response. */
function replay(kept: string): Answer {
  return replayed(JSON.parse(kept) as Answer)
}

function replayed(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, ...REPLAYED } }
}
