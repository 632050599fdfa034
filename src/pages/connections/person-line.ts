/** A connection in a list: initials, name, work and location, as fragments. */

import { publicConnectionId, type Listed } from '../../connections/model/connection.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { personBadge } from '../ui/initials.ts'
import { connectionPath } from '../../html/site-map.ts'
import { positionLine } from '../person/detail-facts.ts'
import { workLine } from '../person/facts.ts'
import type { Organization } from '../../contact-files/contact/details.ts'
import { partialMatchText, type SearchMatch } from '../../connections/search/search-matches.ts'
import type { Tag } from '../../connections/model/tag-store.ts'

/** The ID of the photo, and why a person is in the list. */
interface LineExtras {
  readonly match?: SearchMatch | undefined
  /** The position before the last change of job. */
  readonly former?: Organization | undefined
  readonly photo?: string | undefined
}

/** `match` says why a search found it. */
export function personLine(
  connection: Listed,
  tags: readonly Tag[],
  { match, former, photo }: LineExtras = {},
): Html {
  const { name, location } = connection
  const path = connectionPath(publicConnectionId(connection.connectionId))
  return html`<li>
    ${personBadge(name, photo)}
    <div>
      <h2>
        <a href="${path}"><bdi>${name}</bdi></a>
      </h2>
      ${workLine(connection)}
      ${location === null ? '' : html`<p class="quiet"><bdi>${location}</bdi></p>`}
      ${former === undefined ? '' : html`<p class="quiet">Was ${positionLine(former)}</p>`}
      ${match === undefined ? '' : matchLines(match)} ${tagList(tags)}
    </div>
  </li>`
}

/** `Found in name, notes`, which words if not all of them match, and the part of a note or email. */
function matchLines(match: SearchMatch): Html {
  const { fields, fieldMask, snippet } = match
  if (fieldMask !== 0 && fields.length === 0) return NOTHING
  // Without any field, only the meaning is similar.
  const partial = partialMatchText(match)
  const matches = partial === undefined ? '' : ` · Matches ${partial}`
  const line = fieldMask === 0 ? 'Similar in meaning' : `Found in ${fields.join(', ')}${matches}`
  return html`<p class="quiet">${line}</p>
    ${snippet === undefined ? '' : html`<p class="quiet"><bdi>${snippet}</bdi></p>`}`
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
