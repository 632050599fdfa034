/** What may change while a server runs, for clients that listen. */

export type ListKind = 'tools' | 'prompts' | 'resources'

export interface Changes {
  /** The lists that may change. */
  readonly kinds: readonly ListKind[]
  /** Calls `listener` at every change until the function it returns is called. */
  onChange(listener: (kind: ListKind) => void): () => void
}

/** What a capability says of the changes of its list. */
export function announced(changes: Changes | undefined, kind: ListKind): { listChanged?: true } {
  return changes?.kinds.includes(kind) === true ? { listChanged: true } : {}
}
