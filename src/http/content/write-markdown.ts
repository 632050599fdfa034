/** Builds a Markdown tree and serializes it, with escaping. */

import type { Heading, Link, List, ListItem, Paragraph, PhrasingContent, Root, Text } from 'mdast'
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

/** YAML front matter, and an empty line. A JSON string is a valid double-quoted YAML string, so `1e5` stays a string. */
export function frontMatter(fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return ['---', ...lines, '---', '', ''].join('\n')
}

/** A heading of plain text. */
export function heading(depth: Heading['depth'], title: string): Heading {
  return { type: 'heading', depth, children: [text(title)] }
}

/** A paragraph of these parts. */
export function paragraph(...children: PhrasingContent[]): Paragraph {
  return { type: 'paragraph', children }
}

/** A tight list with the parts of each item. */
export function list(items: readonly (readonly PhrasingContent[])[]): List {
  const children = items.map((parts): ListItem => {
    return { type: 'listItem', spread: false, children: [paragraph(...parts)] }
  })
  return { type: 'list', ordered: false, spread: false, children }
}

/** A link with plain text. */
export function link(label: string, url: string): Link {
  return { type: 'link', url, children: [text(label)] }
}

/** Plain text. */
export function text(value: string): Text {
  return { type: 'text', value }
}
