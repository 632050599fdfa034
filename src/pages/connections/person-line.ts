/** A connection in a list: initials, name, work and location, as fragments. */

import { publicConnectionId, type Listed } from '../../connections/model/connection.ts'
import { NOTHING, html, joinHtml, type Html } from '../../html/html.ts'
import { initialsBadge } from '../ui/initials.ts'
import { connectionPath } from '../../html/site-map.ts'
import type { Tag } from '../../connections/model/connection-store.ts'

/** `snippet` is the part of a note or email that a search matched. */
export function personLine(connection: Listed, tags: readonly Tag[], snippet?: string): Html {
  const { name, location } = connection
  const path = connectionPath(publicConnectionId(connection.connectionId))
  return html`<li>
    ${initialsBadge(name)}
    <div>
      <h2>
        <a href="${path}"><bdi>${name}</bdi></a>
      </h2>
      ${workLine(connection)}
      ${location === null ? '' : html`<p class="quiet"><bdi>${location}</bdi></p>`}
      ${snippet === undefined ? '' : html`<p class="quiet"><bdi>${snippet}</bdi></p>`}
      ${tagList(tags)}
    </div>
  </li>`
}

/** `Analyst · Babbage & Co` */
export function workLine({ title, company }: Pick<Listed, 'title' | 'company'>): Html {
  const parts = [title, company]
    .filter((part) => part !== null)
    .map((part) => html`<bdi>${part}</bdi>`)
  return parts.length === 0 ? NOTHING : html`<p>${joinHtml(parts, ' · ')}</p>`
}

/** The connection's page lists all tags. */
const MAX_TAGS = 5

function tagList(tags: readonly Tag[]): Html {
  if (tags.length === 0) return NOTHING
  const more = tags.length - MAX_TAGS
  return html`<ul class="tags">
    ${tags.slice(0, MAX_TAGS).map(({ tag }) => html`<li class="badge"><bdi>${tag}</bdi></li>`)}
    ${more > 0 ? html`<li class="badge">and ${more} more</li>` : ''}
  </ul>`
}
