/** Links to people, as fragments. */

import { publicConnectionId } from '../model/connection.ts'
import { html, type Html } from '../../html/html.ts'
import { connectionPath } from '../../html/site-map.ts'
import { face } from '../../html/face.ts'

interface NamedPerson {
  readonly name: string
  /** The ID of their photo. */
  readonly photo?: string | null | undefined
}

/** The face and the name, as a link to the page of the connection. */
export function personLink({
  connectionId,
  name,
  photo,
}: NamedPerson & { readonly connectionId: number }): Html {
  const path = connectionPath(publicConnectionId(connectionId))
  return html`<a class="who" href="${path}">${face({ name, photo })}<bdi>${name}</bdi></a>`
}

/** Only the name, where the face stands apart. */
export function nameLink({
  connectionId,
  name,
}: Pick<NamedPerson, 'name'> & { readonly connectionId: number }): Html {
  const path = connectionPath(publicConnectionId(connectionId))
  return html`<a href="${path}"><bdi>${name}</bdi></a>`
}

/** The face and the name. */
export function personName({ name, photo }: NamedPerson): Html {
  return html`<span class="who">${face({ name, photo })}<bdi>${name}</bdi></span>`
}
