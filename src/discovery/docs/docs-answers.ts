/** The documentation as a source of answers (NLWeb): its sections as schema.org items. */

import { plainLine, type Hit } from './docs-search.ts'
import type { Library } from './library.ts'

interface DocsAnswer {
  readonly '@type': 'Item'
  readonly name: string
  readonly url: string
  readonly site: 'docs'
  /** Relevance, 1 to 100. */
  readonly score: number
  /** One line of plain text. */
  readonly description: string
  readonly schema_object: object
}

interface DocsAnswers {
  /** Best first. */
  search(query: string, limit: number): Promise<DocsAnswer[]>
}

export function docsAnswers(library: Library): DocsAnswers {
  return { search: async (query, limit) => library.search(query, limit).map(answerOf) }
}

function answerOf({ title, url, excerpt, score }: Hit): DocsAnswer {
  const description = plainLine(excerpt)
  return {
    '@type': 'Item',
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
