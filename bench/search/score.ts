/** What the search benchmark reads of a set: people, questions, and who answers them; and the scores of an answer. */

export interface SearchSet {
  readonly name: string
  readonly people: readonly SetPerson[]
  /** The names of the custom fields, of kind text. */
  readonly customFields: readonly string[]
  readonly questions: readonly SearchQuestion[]
  /** In the order of the table. `negatives` are questions that no one answers. */
  readonly categories: readonly string[]
}

export interface SetPerson {
  /** Unique; questions name people by it. */
  readonly handle: string
  /** The arguments of `add_connections`. */
  readonly values: object
  readonly notes: readonly { readonly on: string; readonly text: string }[]
  readonly followUps?: readonly { readonly dueOn: string; readonly text: string }[]
  /** The same values as text, by field, as the peers index them. */
  readonly document: Readonly<Record<string, string>>
}

export interface SearchQuestion {
  readonly category: string
  /** While a search is being changed, only tuning questions may be inspected. */
  readonly isHeldOut: boolean
  readonly query: string
  /** By handle. 3: exact match. 2: helpful. 1: related. Empty: no one. */
  readonly relevant: ReadonlyMap<string, number>
}

/** The lowest grade that counts for recall. */
export const HELPS = 2

/** The results that count. */
export const MAX_RESULTS = 10

export interface Score {
  /** The share of relevant people (at most five count) among the first five results. */
  readonly recallAt5: number
  /** Normalized discounted cumulative gain of the first ten results. */
  readonly ndcgAt10: number
}

/** A question without an answer scores 1 if nothing is found, and 0 otherwise. */
export function scoreOf(
  { relevant }: Pick<SearchQuestion, 'relevant'>,
  found: readonly string[],
): Score {
  if (relevant.size === 0) {
    const isHonest = found.length === 0 ? 1 : 0
    return { recallAt5: isHonest, ndcgAt10: isHonest }
  }
  const grades = found.map((handle) => relevant.get(handle) ?? 0)
  const helping = [...relevant.values()].filter((grade) => grade >= HELPS).length
  const ideal = [...relevant.values()].toSorted((a, b) => b - a)
  return {
    recallAt5: grades.slice(0, 5).filter((grade) => grade >= HELPS).length / Math.min(5, helping),
    ndcgAt10: gainOf(grades) / gainOf(ideal),
  }
}

function gainOf(grades: readonly number[]): number {
  return grades
    .slice(0, MAX_RESULTS)
    .reduce((sum, grade, rank) => sum + (2 ** grade - 1) / Math.log2(rank + 2), 0)
}
