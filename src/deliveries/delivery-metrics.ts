/** Counts the deliveries of all members for metrics and `weft doctor`. */

import { serviceStatement } from '../db/statement.ts'
import type { Reader } from '../db/database.ts'
import type { EndpointKind } from './endpoint-store.ts'

interface DeliveryState {
  /** Endpoints that have a message to send now, by kind. */
  readonly due: Readonly<Record<EndpointKind, number>>
  /** Endpoints whose last attempt failed and that have not ended, by kind. */
  readonly failing: Readonly<Record<EndpointKind, number>>
  /** Since when the endpoint that has waited longest is due; null if none is. */
  readonly dueSince: number | null
  /** When the next attempt is planned; null if none is. */
  readonly nextAt: number | null
  /** When the oldest message that waits was queued; null if none waits. */
  readonly oldestAt: number | null
}

const NONE: Readonly<Record<EndpointKind, number>> = { push: 0, webhook: 0, event: 0 }

/** Times are in milliseconds. */
export async function readDeliveryState(database: Reader, now: number): Promise<DeliveryState> {
  const [due, failing, next, queued] = await Promise.all([
    database.all(DUE_NOW, { now }),
    database.all(FAILING, {}),
    database.get(NEXT, { now }),
    database.get(OLDEST, {}),
  ])
  const since = due.map((row) => row.dueSince)
  return {
    due: { ...NONE, ...countsOf(due) },
    failing: { ...NONE, ...countsOf(failing) },
    dueSince: since.length === 0 ? null : Math.min(...since),
    nextAt: next?.nextAt ?? null,
    oldestAt: queued?.oldestAt ?? null,
  }
}

/** When a message was last accepted; null if none was. Reads every endpoint. */
export async function readLastDelivery({
  heavy,
}: {
  readonly heavy: Reader
}): Promise<number | null> {
  return (await heavy.get(LAST, {}))?.deliveredAt ?? null
}

interface Counted {
  readonly kind: EndpointKind
  readonly count: number
}

function countsOf(rows: readonly Counted[]): Partial<Record<EndpointKind, number>> {
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
}

/** By index endpoints_by_attempt, like the next statement. */
const DUE_NOW = serviceStatement<{ now: number }, Counted & { readonly dueSince: number }>(`
  select kind, cast(count(*) as integer) as count, min(next_attempt_at) as "dueSince" from endpoints
  where next_attempt_at <= :now group by kind`)

const NEXT = serviceStatement<{ now: number }, { nextAt: number | null }>(
  'select min(next_attempt_at) as "nextAt" from endpoints where next_attempt_at > :now',
)

/** By index endpoints_failing. */
const FAILING = serviceStatement<object, Counted>(`
  select kind, cast(count(*) as integer) as count from endpoints
  where failures > 0 and ended_at is null group by kind`)

/** By index deliveries_queued. */
const OLDEST = serviceStatement<object, { oldestAt: number | null }>(
  `select min(created_at) as "oldestAt" from deliveries where state = 'queued'`,
)

const LAST = serviceStatement<object, { deliveredAt: number | null }>(
  'select max(delivered_at) as "deliveredAt" from endpoints',
)
