/** The public profile page, with links to its Markdown and JSON formats. */

import { t } from '../../languages/message.ts'
import { LINE_BREAK, NOTHING, html, joinHtml, type Html } from '../../html/html.ts'
import { publicPage } from '../../html/public-layout.ts'
import { DIRECTORY_PATH, PROFILE_PATH } from '../../html/site-map.ts'
import { locationParts, type DirectoryFilters } from '../../members/directory-filters.ts'
import { addressOf } from '../../members/public/directory-parameters.ts'
import { faceAt } from '../../html/face.ts'
import { icon, type IconName } from '../../html/icon.ts'
import { hasOnlyName } from '../../members/directory-rank.ts'
import { utcDay } from '../../ui/time.ts'
import { jsonUrl, markdownPageUrl } from './profile-urls.ts'
import { profileHead } from './profile-head.ts'
import type { OperatorTexts } from '../../html/legal-links.ts'
import type { Answer } from '../../http/response.ts'
import { photoPathOf, profileOf, type Profile } from '../../members/profile.ts'
import type { Member } from '../../members/member-row.ts'

interface ProfilePageDeps extends OperatorTexts {
  readonly publicUrl: string
}

export function profilePage(member: Member, deps: ProfilePageDeps): Answer {
  const { publicUrl } = deps
  const profile = profileOf(member, publicUrl)
  const { username, name } = profile
  return publicPage({
    title: `${name} (@${username})`,
    head: profileHead(profile, publicUrl),
    body: profileArticle(profile, { heading: 'h1', photo: photoPathOf(member, 256) }),
    foot: foot(profile, publicUrl),
    legal: deps,
    owner: { memberId: member.memberId, note: ownNote(member) },
  })
}

/** What the member sees below their page. One that is empty says what to write. */
function ownNote(member: Member): Html {
  if (hasOnlyName(member)) return invitation()
  return html`<div class="notice with-act">
    <p>${missingText(member) ?? t('This is how others see you.')}</p>
    <a class="button plain" href="${PROFILE_PATH}">Edit profile</a>
  </div>`
}

function invitation(): Html {
  const parts: readonly (readonly [IconName, string, string])[] = [
    ['edit', t('Headline'), t('one line that says what you do')],
    ['pin', t('Company and location'), t('who works with you or lives near you finds you')],
    ['chat', t('About and skills'), t('what people can ask you about')],
  ]
  const items = parts.map(
    ([sign, name, why]) =>
      html`<li>
        ${icon(sign)}
        <p><b>${name}</b> <span class="quiet">${why}</span></p>
      </li>`,
  )
  return html`<section class="panel" aria-labelledby="write">
    <h2 id="write">Say who you are</h2>
    <ul class="points">
      ${items}
    </ul>
    <p class="quiet">One of them is enough to be listed in the directory.</p>
    <div class="actions"><a class="button" href="${PROFILE_PATH}">Write your profile</a></div>
  </section>`
}

/** Names the parts of a profile that are still empty; undefined if there are none. */
export function missingText(member: Member): string | undefined {
  const { photo, headline, about: text, organization, location, skills: all, links: urls } = member
  const parts = [
    { label: t('Photo'), isEmpty: photo === null },
    { label: t('Headline'), isEmpty: headline === null },
    { label: t('About'), isEmpty: text === null },
    { label: t('Company'), isEmpty: organization === null },
    { label: t('Location'), isEmpty: location === null },
    { label: t('Skills'), isEmpty: all.length === 0 },
    { label: t('Links'), isEmpty: urls.length === 0 },
  ]
  const empty = parts.flatMap(({ label, isEmpty }) => (isEmpty ? [label] : []))
  return empty.length === 0 ? undefined : t('Still empty: {parts}.', { parts: empty.join(', ') })
}

/** A fragment. `heading` is the level of the name, for pages that already have an `h1`. `photo` is a path. */
export function profileArticle(
  profile: Profile,
  { heading, photo }: { readonly heading: 'h1' | 'h2'; readonly photo: string | undefined },
): Html {
  const { username, headline, joined_at } = profile
  const name = html`<bdi>${profile.name}</bdi>`
  const parts = [facts(profile), about(profile), skills(profile), links(profile)]
  const isEmpty = headline === null && parts.every((part) => part === NOTHING)
  return html`<article class="panel person">
    <div class="lead">
      ${faceAt(profile.name, photo)}
      <div>
        ${heading === 'h1' ? html`<h1>${name}</h1>` : html`<h2>${name}</h2>`}
        ${headline === null ? NOTHING : html`<p class="headline"><bdi>${headline}</bdi></p>`}
        <p class="quiet">@${username} · member since ${utcDay(Date.parse(joined_at))}</p>
      </div>
    </div>
    ${isEmpty ? html`<p class="quiet">Nothing more is public here yet.</p>` : parts}
  </article>`
}

/** Work and location on one line, with links to the members who share them. */
function facts({ title, organization, location }: Profile): Html {
  const places = locationParts(location ?? '').map((part) => othersLink({ location: part }, part))
  const known = [
    title === null ? NOTHING : html`<bdi>${title}</bdi>`,
    organization === null ? NOTHING : othersLink({ company: organization }, organization),
    joinHtml(places, ', '),
  ].filter((value) => value.toString() !== '')
  return known.length === 0 ? NOTHING : html`<p class="work">${joinHtml(known, ' · ')}</p>`
}

function othersLink(filters: DirectoryFilters, value: string): Html {
  return html`<a href="${addressOf(DIRECTORY_PATH, filters)}"><bdi>${value}</bdi></a>`
}

/** Empty lines separate paragraphs. Each paragraph gets its own text direction. */
function about({ about: text }: Profile): Html {
  if (text === null) return NOTHING
  const paragraphs = text.split(/\n\s*\n/).map((part) => {
    const lines = part
      .trim()
      .split('\n')
      .map((line) => html`${line}`)
    return html`<p dir="auto">${joinHtml(lines, LINE_BREAK)}</p>`
  })
  return section('about', t('About'), paragraphs)
}

function skills({ skills: all }: Profile): Html {
  if (all.length === 0) return NOTHING
  const items = all.map((skill) => html`<li class="badge">${othersLink({ skill }, skill)}</li>`)
  return section(
    'skills',
    t('Skills'),
    html`<ul class="tags">
      ${items}
    </ul>`,
  )
}

function links({ links: all }: Profile): Html {
  if (all.length === 0) return NOTHING
  const items = all.map((link) => html`<li>${linkTo(link)}</li>`)
  return section(
    'links',
    t('Links'),
    html`<ul class="links">
      ${items}
    </ul>`,
  )
}

/** Shows the host, because the label may be misleading. `rel` marks the link as user-generated for search engines. */
function linkTo({ label, url }: Profile['links'][number]): Html {
  const target = URL.parse(url)
  if (target?.protocol !== 'https:' && target?.protocol !== 'http:')
    return html`<bdi>${label}</bdi>`
  return html`<a href="${url}" rel="nofollow ugc noopener"><bdi>${label}</bdi></a>
    <small><bdi>${target.host}</bdi></small>`
}

function section(name: string, title: string, content: Html | readonly Html[]): Html {
  const id = `person-${name}`
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`
}

function foot({ username, updated_at }: Profile, publicUrl: string): Html {
  return html`Updated ${utcDay(Date.parse(updated_at))} ·
    <a href="${markdownPageUrl(username, publicUrl)}">Markdown</a> ·
    <a href="${jsonUrl(username, publicUrl)}">JSON</a>`
}
