/** Texts of a search, for the tools and the pages: their limits, in characters, and the schema of a filter. */

import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import * as Type from '../../base/type.ts'

export const MAX_QUERY_LENGTH = 500
export const MAX_FILTER_LENGTH = 200

/** Returns the schema of an argument that filters a text of connections. */
export function textFilter(description: string, example: string) {
  return Type.String({
    minLength: 1,
    maxLength: MAX_FILTER_LENGTH,
    description,
    examples: [example],
    [PLAIN_KEYWORD]: true,
  })
}
