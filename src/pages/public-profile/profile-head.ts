/** Metadata of a profile page for search engines, link previews and agents. */

import { t } from '../../languages/message.ts'
import { html, rawHtml, type Html } from '../../html/html.ts'
import { linkPreview } from '../../html/link-preview.ts'
import { profilePageJsonLd } from '../../members/profile-json-ld.ts'
import { jsonUrl, markdownPageUrl } from './profile-urls.ts'
import type { Profile } from '../../members/profile.ts'

export function profileHead(profile: Profile, publicUrl: string): Html {
  const { username, name, profile_url, avatar_url } = profile
  const description = describe(profile)
  const preview = linkPreview({
    title: name,
    description,
    url: profile_url,
    image: avatar_url,
    type: 'profile',
  })
  return html`${preview}
    <link rel="canonical" href="${profile_url}" />
    <link rel="alternate" type="text/markdown" href="${markdownPageUrl(username, publicUrl)}" />
    <link rel="alternate" type="application/json" href="${jsonUrl(username, publicUrl)}" />
    <meta property="profile:username" content="${username}" />
    ${dataBlock(profilePageJsonLd(profile))}`
}

function describe({ name, headline, title, organization, location }: Profile): string {
  const work = [title, organization].filter((part) => part !== null).join(', ')
  const parts = [headline, work, location].filter((part) => part !== null && part !== '')
  return parts.length === 0 ? t('The public profile of {name}', { name }) : parts.join(' · ')
}

/**
 * A script element with data is never executed, so the page's policy allows it. Escaping `<` prevents the data from
 * closing the element or opening a comment (HTML Living Standard, section 4.12.1.3).
 */
function dataBlock(data: object): Html {
  const text = JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
  // Safe: without `<`, and the content of a script element has no character references.
  return html`<script type="application/ld+json">
    ${rawHtml(text)}
  </script>`
}
