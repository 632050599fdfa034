/** The people that a tool call names: schemas of its arguments. */

import * as Type from '../../base/type.ts'
import { MAX_TEXT_LENGTH } from '../../base/limits.ts'
import { CONNECTION_ID_PATTERN } from '../model/connection.ts'

/** One connection as a tool argument, by its ID. */
export const ConnectionId = Type.String({
  pattern: CONNECTION_ID_PATTERN,
  description: 'c_… from search_connections',
  // No one has it, so that an example in an error changes no one.
  examples: ['c_999999'],
})

/** A person as a tool argument: `requireConnection` finds them. */
export const PersonRef = Type.String({
  pattern: '\\S',
  maxLength: MAX_TEXT_LENGTH,
  description: 'ID, email or name',
  examples: ['First Last', 'c_999999'],
})

/** People that one call reads or changes. */
export const MAX_PEOPLE = 100

/** Several people as a tool argument: `requireConnections` finds them. */
export function peopleRefs(maxItems = MAX_PEOPLE) {
  return Type.Array(PersonRef, {
    minItems: 1,
    maxItems,
    description: 'IDs, emails or names',
  })
}
