/** How a public profile looks: who it is, what they say of themselves, and the same for programs a click away. */

import { html } from '../../html/html.ts'
import { publicPage } from '../../html/public-layout.ts'
import { initialsBadge } from '../ui/initials.ts'
import { utcDay } from '../ui/time.ts'
import { jsonUrl, markdownPageUrl } from './profile-urls.ts'
import { profileHead } from './profile-head.ts'
import type { Answer } from '../../http/response.ts'
import type { Profile } from '../../members/profile.ts'

export function profilePage(profile: Profile, publicUrl: string): Answer {
  const { username, name } = profile
  return publicPage({
    title: `${name} (@${username})`,
    head: profileHead(profile, publicUrl),
    body: profileArticle(profile, 'h1'),
    foot: foot(profile, publicUrl),
  })
}

/** A fragment; `heading` is the name's, for a page that has an `h1` of its own. */
export function profileArticle(profile: Profile, heading: 'h1' | 'h2'): string {
  const { username, name, headline, joined_at } = profile
  return html`<article class="panel person">
    <div class="lead">
      !${initialsBadge(name)}
      <div>
        <${heading}><bdi>${name}</bdi></${heading}>
        <p class="quiet">@${username} · member since !${utcDay(Date.parse(joined_at))}</p>
      </div>
    </div>
    !${headline === null ? '' : html`<p class="headline"><bdi>${headline}</bdi></p>`}
    !${facts(profile)} !${about(profile)} !${skills(profile)} !${links(profile)}
  </article>`
}

/** What they do, where. */
function facts({ title, organization, location }: Profile): string {
  const rows = [
    ['Role', title],
    ['Organization', organization],
    ['Location', location],
  ] as const
  const known = rows.flatMap(([label, value]) => (value === null ? [] : [fact(label, value)]))
  return known.length === 0 ? '' : html`<dl class="facts">!${known}</dl>`
}

function fact(label: string, value: string): string {
  return html`<div>
    <dt>${label}</dt>
    <dd><bdi>${value}</bdi></dd>
  </div>`
}

/** An empty line parts paragraphs; each runs in the direction of its own letters. */
function about({ about: text }: Profile): string {
  if (text === null) return ''
  const paragraphs = text.split(/\n\s*\n/).map((part) => {
    const lines = part
      .trim()
      .split('\n')
      .map((line) => html`${line}`)
    return html`<p dir="auto">!${lines.join('<br />')}</p>`
  })
  return section('About', paragraphs.join(''))
}

function skills({ skills: all }: Profile): string {
  if (all.length === 0) return ''
  const items = all.map((skill) => html`<li class="badge"><bdi>${skill}</bdi></li>`)
  return section(
    'Skills',
    html`<ul class="tags">
      !${items}
    </ul>`,
  )
}

function links({ links: all }: Profile): string {
  if (all.length === 0) return ''
  const items = all.map((link) => html`<li>!${linkTo(link)}</li>`)
  return section(
    'Links',
    html`<ul class="links">
      !${items}
    </ul>`,
  )
}

/** Whatever the label promises, the host says where it leads. Search engines are told that it is not ours. */
function linkTo({ label, url }: Profile['links'][number]): string {
  const target = URL.parse(url)
  if (target?.protocol !== 'https:' && target?.protocol !== 'http:')
    return html`<bdi>${label}</bdi>`
  return html`<a href="${url}" rel="nofollow ugc noopener"><bdi>${label}</bdi></a>
    <small><bdi>${target.host}</bdi></small>`
}

function section(title: string, content: string): string {
  const id = `person-${title.toLowerCase()}`
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    !${content}
  </section>`
}

function foot({ username, updated_at }: Profile, publicUrl: string): string {
  return html`Changed !${utcDay(Date.parse(updated_at))} ·
    <a href="${markdownPageUrl(username, publicUrl)}">Markdown</a> ·
    <a href="${jsonUrl(username, publicUrl)}">JSON</a>`
}
