/** The directory as Markdown. Member input is escaped as text. */

import { frontMatter } from '../../discovery/docs/negotiated-page.ts'
import { activeFilters } from './filters.ts'
import { MARKDOWN_OPTIONS, writeMarkdown } from '../../http/content/write-markdown.ts'
import { addressOf, type DirectoryQuery } from '../../members/public/directory-parameters.ts'
import { memberSummary, type MemberSummary } from '../../members/directory.ts'
import type { DirectoryView } from './directory.page.ts'
import { DIRECTORY_MARKDOWN_PATH, DIRECTORY_PATH } from '../../html/site-map.ts'
import type { BlockContent, ListItem, PhrasingContent } from 'mdast'

export async function networkMarkdown(
  found: DirectoryView,
  asked: DirectoryQuery,
  publicUrl: string,
): Promise<string> {
  const { nextCursor } = found
  const members = found.members.map((row) => memberSummary(row, publicUrl))
  const { q = '' } = asked
  const next = { ...asked, cursor: nextCursor ?? undefined }
  const page: BlockContent[] = [
    { type: 'heading', depth: 1, children: [text('Directory')] },
    ...(q.trim() === '' ? [] : [paragraph(text(`Search results for “${q.trim()}”.`))]),
    ...activeFilters(asked).map(({ label, value }) => paragraph(text(`${label}: ${value}`))),
    members.length === 0
      ? paragraph(text('No results.'))
      : { type: 'list', spread: false, children: members.map(item) },
    ...(nextCursor === null
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
