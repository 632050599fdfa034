/** A profile as markdown, with front matter for programs. Text from the member is escaped. */

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
import type { Paragraph, PhrasingContent, RootContent } from 'mdast'
import type { Profile } from '../profile.ts'

export async function profileMarkdown(profile: Profile): Promise<string> {
  const { name, about, skills, links, username, updated_at, profile_url: url } = profile
  const page: RootContent[] = [
    heading(1, name),
    ...opening(profile),
    ...section('About', about === null ? [] : paragraphs(about)),
    ...section('Skills', listed(skills.map(text))),
    ...section('Links', listed(links.map(linkTo))),
  ]
  return frontMatter({ username, updated_at, url }) + (await writeMarkdown(page, MARKDOWN_OPTIONS))
}

/** The headline, then title, organization and location. */
function opening({ headline, title, organization, location }: Profile): Paragraph[] {
  const work = [title, organization].filter((part) => part !== null).join(', ')
  const facts = [work, location].filter((part) => part !== null && part !== '').join(' · ')
  const lines: PhrasingContent[][] = [
    headline === null ? [] : [{ type: 'strong', children: [text(headline)] }],
    facts === '' ? [] : [text(facts)],
  ]
  return lines.filter((line) => line.length > 0).map((line) => paragraph(...line))
}

function section(title: string, content: RootContent[]): RootContent[] {
  return content.length === 0 ? [] : [heading(2, title), ...content]
}

/** Empty lines separate paragraphs; a single newline stays a line break. */
function paragraphs(about: string): Paragraph[] {
  return about.split(/\n\s*\n/).map((part) =>
    paragraph(
      ...part
        .trim()
        .split('\n')
        .flatMap((line, index): PhrasingContent[] =>
          index === 0 ? [text(line)] : [{ type: 'break' }, text(line.trim())],
        ),
    ),
  )
}

function listed(items: PhrasingContent[]): RootContent[] {
  return items.length === 0 ? [] : [list(items.map((item) => [item]))]
}

function linkTo({ label, url }: Profile['links'][number]): PhrasingContent {
  return /^https?:\/\//i.test(url) ? link(label, url) : text(label)
}
