/** The directory as Markdown. Member input is escaped as text. */

import { frontMatter } from '../../discovery/docs/negotiated-page.ts'
import { MARKDOWN_OPTIONS, writeMarkdown } from '../../http/write-markdown.ts'
import { addressOf, type DirectoryQuery } from './directory-urls.ts'
import { DIRECTORY_MARKDOWN_PATH, DIRECTORY_PATH } from '../../html/site-map.ts'
import type { BlockContent, ListItem, PhrasingContent } from 'mdast'
import type { DirectoryPage, MemberSummary } from '../../members/directory.ts'

export async function networkMarkdown(
  found: DirectoryPage,
  asked: DirectoryQuery,
  publicUrl: string,
): Promise<string> {
  const { members, next_cursor } = found
  const { q = '' } = asked
  const next = { q, cursor: next_cursor ?? '' }
  const page: BlockContent[] = [
    { type: 'heading', depth: 1, children: [text('Directory')] },
    ...(q.trim() === '' ? [] : [paragraph(text(`Search results for “${q.trim()}”.`))]),
    members.length === 0
      ? paragraph(text('No results.'))
      : { type: 'list', spread: false, children: members.map(item) },
    ...(next_cursor === null
      ? []
      : [paragraph(link('Next page', publicUrl + addressOf(DIRECTORY_MARKDOWN_PATH, next)))]),
  ]
  const url = publicUrl + addressOf(DIRECTORY_PATH, asked)
  return frontMatter({ title: 'Directory', url }) + (await writeMarkdown(page, MARKDOWN_OPTIONS))
}

function item({ name, username, url, headline, organization, location }: MemberSummary): ListItem {
  const facts = [headline, organization, location].filter((part) => part !== null).join(' · ')
  const about = facts === '' ? '' : `: ${facts}`
  return {
    type: 'listItem',
    spread: false,
    children: [paragraph(link(name, `${url}.md`), text(` (@${username})${about}`))],
  }
}

function paragraph(...children: PhrasingContent[]): BlockContent {
  return { type: 'paragraph', children }
}

function link(label: string, url: string): PhrasingContent {
  return { type: 'link', url, children: [text(label)] }
}

function text(value: string): PhrasingContent {
  return { type: 'text', value }
}
