/** The parameters of a search that the directory as a page and as JSON have in common. */

import * as Type from '../../base/type.ts'
import { FILTER_NAMES, type DirectoryFilters } from '../directory-filters.ts'

export const FILTER_PARAMETERS = {
  location: Type.Optional(
    Type.String({
      description: 'Only members in this city or country, as in their profile',
      examples: ['Berlin'],
    }),
  ),
  company: Type.Optional(
    Type.String({ description: 'Only members of this company', examples: ['Acme'] }),
  ),
  skill: Type.Optional(
    Type.String({ description: 'Only members with this skill', examples: ['Mathematics'] }),
  ),
}

export interface DirectoryQuery extends DirectoryFilters {
  readonly q?: string | undefined
  readonly per_page?: number | undefined
  /** The cursor from the previous page. */
  readonly cursor?: string | undefined
}

/** The path with the parameters that are not empty, always in the same order. */
export function addressOf(path: string, asked: DirectoryQuery): string {
  const query = new URLSearchParams(
    (['q', ...FILTER_NAMES, 'per_page', 'cursor'] as const).flatMap((name) => {
      const value = asked[name] ?? ''
      return value === '' ? [] : [[name, String(value)]]
    }),
  )
  return query.size === 0 ? path : `${path}?${query.toString()}`
}
