/** The documentation as a source of answers (NLWeb): its sections as schema.org items. */

import { plainLine, type Hit } from './docs-search.ts'
import type { Library } from './library.ts'

export function docsAnswers(library: Library) {
  return {
    search: async (query: string, limit: number) => library.search(query, limit).map(answerOf),
  }
}

function answerOf({ title, url, excerpt, score }: Hit) {
  const description = plainLine(excerpt)
  return {
    '@type': 'Item' as const,
    name: title,
    url,
    site: 'docs',
    score: Math.max(1, Math.round(score * 100)),
    description,
    schema_object: {
      '@context': 'https://schema.org',
      '@type': 'TechArticle',
      headline: title,
      url,
      description,
    },
  }
}
