/** Links to people, as fragments. */

import { publicConnectionId, type Listed } from '../../connections/model/connection.ts'
import { html, type Html } from '../../html/html.ts'
import { connectionPath } from '../../html/site-map.ts'

/** The name, as a link to the page of the connection. */
export function personLink({ connectionId, name }: Pick<Listed, 'connectionId' | 'name'>): Html {
  return html`<a href="${connectionPath(publicConnectionId(connectionId))}"><bdi>${name}</bdi></a>`
}
