/** A profile as markdown, with front matter for programs. Text from the member is escaped. */

import { MARKDOWN_OPTIONS, writeMarkdown } from '../../http/content/write-markdown.ts'
import type { List, Paragraph, PhrasingContent, RootContent } from 'mdast'
import type { Profile } from '../profile.ts'

export async function profileMarkdown(profile: Profile): Promise<string> {
  const page: RootContent[] = [
    { type: 'heading', depth: 1, children: [text(profile.name)] },
    ...opening(profile),
    ...section('About', profile.about === null ? [] : paragraphs(profile.about)),
    ...section('Skills', profile.skills.length === 0 ? [] : [list(profile.skills.map(text))]),
    ...section('Links', profile.links.length === 0 ? [] : [list(profile.links.map(link))]),
  ]
  return `${frontMatter(profile)}\n${await writeMarkdown(page, MARKDOWN_OPTIONS)}`
}

/** A JSON string is a valid double-quoted YAML string, so a username such as `1e5` stays a string. */
function frontMatter(profile: Profile): string {
  const { username, updated_at, profile_url } = profile
  return `---\nusername: ${JSON.stringify(username)}\nupdated_at: ${JSON.stringify(updated_at)}\nurl: ${JSON.stringify(profile_url)}\n---\n`
}

/** The headline, then title, organization and location. */
function opening({ headline, title, organization, location }: Profile): Paragraph[] {
  const work = [title, organization].filter((part) => part !== null).join(', ')
  const facts = [work, location].filter((part) => part !== null && part !== '').join(' · ')
  const lines: PhrasingContent[][] = [
    headline === null ? [] : [{ type: 'strong', children: [text(headline)] }],
    facts === '' ? [] : [text(facts)],
  ]
  return lines.filter((line) => line.length > 0).map(paragraph)
}

function section(title: string, content: RootContent[]): RootContent[] {
  if (content.length === 0) return []
  return [{ type: 'heading', depth: 2, children: [text(title)] }, ...content]
}

/** Empty lines separate paragraphs; a single newline stays a line break. */
function paragraphs(about: string): Paragraph[] {
  return about.split(/\n\s*\n/).map((part) =>
    paragraph(
      part
        .trim()
        .split('\n')
        .flatMap((line, index): PhrasingContent[] =>
          index === 0 ? [text(line)] : [{ type: 'break' }, text(line.trim())],
        ),
    ),
  )
}

function list(items: PhrasingContent[]): List {
  return {
    type: 'list',
    spread: false,
    children: items.map((item) => ({ type: 'listItem', children: [paragraph([item])] })),
  }
}

function link({ label, url }: Profile['links'][number]): PhrasingContent {
  return /^https?:\/\//i.test(url) ? { type: 'link', url, children: [text(label)] } : text(label)
}

function paragraph(children: PhrasingContent[]): Paragraph {
  return { type: 'paragraph', children }
}

function text(value: string): PhrasingContent {
  return { type: 'text', value }
}
