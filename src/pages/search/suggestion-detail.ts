/** The line below a suggested person: what they do, or what they have instead of words. */

import type { SuggestedConnection } from '../../connections/search/search.ts'

type Suggested = Pick<SuggestedConnection, 'title' | 'company' | 'weaker'>

export function suggestionDetail({ title, company, weaker }: Suggested): string {
  return [weaker, title, company].filter((part) => part !== null && part !== undefined).join(' · ')
}
