/**
 * Arguments that are lists of `name=value`, such as `Tier=Gold`. Clients in strict mode cannot send objects whose names
 * are not in the schema. See decision 0029.
 */

/** Marks the schema of such a list. JSON Schema ignores unknown keywords, and `tools/list` omits it. */
export const PAIRS_KEYWORD = 'weftPairs'
