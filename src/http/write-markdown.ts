/** A tree of markdown as its text, with whatever would mean something else escaped. */

import type { Root } from 'mdast'
import type { Options } from 'mdast-util-to-markdown'

/** The writer is loaded when it is first needed: its seventy modules would take 20 ms of the start, and 9 MB. */
export async function writeMarkdown(page: Root['children'], options?: Options): Promise<string> {
  const { toMarkdown } = await import('mdast-util-to-markdown')
  return toMarkdown({ type: 'root', children: page }, options)
}
