/** Which changes of the activity log are listed: by author, kind and time. */

/** The subjects of the changes of each kind, as the log records them. An undo is of the kind of what it undoes. */
export const ACTIVITY_KINDS = {
  connections: ['connection', 'connections', 'tag', 'view'],
  notes: ['note'],
  interactions: ['interaction', 'interactions'],
  follow_ups: ['follow_up', 'follow_ups'],
  imports: ['job'],
  custom_fields: ['custom_field'],
  profile: ['profile'],
  account: ['account'],
} as const

export type ActivityKind = keyof typeof ACTIVITY_KINDS

export interface ActivityFilter {
  /** Only changes that affect one of these connections. */
  readonly people?: readonly number[] | undefined
  /** The name of an agent; null for changes without an agent. */
  readonly agent?: string | null | undefined
  /** Only changes by agents. */
  readonly isByAgent?: boolean | undefined
  readonly kind?: ActivityKind | undefined
  /** From this time on. */
  readonly from?: number | undefined
  /** Before this time. */
  readonly until?: number | undefined
}

/** Parameters of `FILTERED`. */
export interface FilterParams {
  readonly agent: string | null
  readonly is_own: number
  readonly is_by_agent: number
  readonly is_any_kind: number
  readonly subject_kinds: readonly string[]
  readonly from: number
  readonly until: number
}

/** A condition on the rows of `activity`, which no other table of the statement may name alike. */
export const FILTERED = `
  (cast(:agent as text) is null or (actor = :agent and credential_id is not null))
  and (:is_own = 0 or credential_id is null)
  and (:is_by_agent = 0 or credential_id is not null)
  and (:is_any_kind = 1 or subject_kind in (:subject_kinds...text))
  and at >= :from and at < :until` as const

export function filterParams({
  agent,
  isByAgent,
  kind,
  from,
  until,
}: ActivityFilter): FilterParams {
  return {
    agent: agent ?? null,
    is_own: agent === null ? 1 : 0,
    is_by_agent: isByAgent === true ? 1 : 0,
    is_any_kind: kind === undefined ? 1 : 0,
    subject_kinds: kind === undefined ? [] : ACTIVITY_KINDS[kind],
    from: from ?? 0,
    until: until ?? Number.MAX_SAFE_INTEGER,
  }
}

/** What a cursor of the filtered list belongs to. */
export function filterKey(filter: ActivityFilter): readonly (string | number | null)[] {
  const { people, agent, isByAgent, kind, from, until } = filter
  return [
    people?.join() ?? null,
    agent ?? (agent === null ? 0 : isByAgent === true ? 1 : null),
    kind ?? null,
    from ?? null,
    until ?? null,
  ]
}
