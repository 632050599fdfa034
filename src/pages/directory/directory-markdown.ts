/** The directory as Markdown. Member input is escaped as text. */

import { activeFilters } from './filters.ts'
import {
  frontMatter,
  heading,
  link,
  list,
  MARKDOWN_OPTIONS,
  paragraph,
  text,
  writeMarkdown,
} from '../../http/content/write-markdown.ts'
import { addressOf, type DirectoryQuery } from '../../members/public/directory-parameters.ts'
import { memberSummary, type MemberSummary } from '../../members/directory.ts'
import type { DirectoryView } from './directory.page.ts'
import { DIRECTORY_MARKDOWN_PATH, DIRECTORY_PATH } from '../../html/site-map.ts'

export async function networkMarkdown(
  found: DirectoryView,
  asked: DirectoryQuery,
  publicUrl: string,
): Promise<string> {
  const { nextCursor } = found
  const members = found.members.map((row) => memberSummary(row, publicUrl))
  const { q = '' } = asked
  const next = { ...asked, cursor: nextCursor ?? undefined }
  const page = [
    heading(1, 'Directory'),
    ...(q.trim() === '' ? [] : [paragraph(text(`Search results for “${q.trim()}”.`))]),
    ...activeFilters(asked).map(({ label, value }) => paragraph(text(`${label}: ${value}`))),
    members.length === 0 ? paragraph(text('No results.')) : list(members.map(item)),
    ...(nextCursor === null
      ? []
      : [paragraph(link('Next page', publicUrl + addressOf(DIRECTORY_MARKDOWN_PATH, next)))]),
  ]
  const url = publicUrl + addressOf(DIRECTORY_PATH, asked)
  return frontMatter({ title: 'Directory', url }) + (await writeMarkdown(page, MARKDOWN_OPTIONS))
}

function item({ name, username, url, headline, organization, location }: MemberSummary) {
  const facts = [headline, organization, location].filter((part) => part !== null).join(' · ')
  const about = facts === '' ? '' : `: ${facts}`
  return [link(name, `${url}.md`), text(` (@${username})${about}`)]
}
