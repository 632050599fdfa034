/** What an app says of itself, whether it registers or publishes a document: the fields and their rules (RFC 7591). */

import Type, { type Static } from 'typebox'
import { OAuthError } from './oauth-error.ts'
import { redirectHost, redirectUriProblem } from './redirect-uri.ts'

const MAX_REDIRECT_URIS = 10
/** Code points. */
const MAX_NAME_LENGTH = 120
const MAX_URI_LENGTH = 2000
/** Of all that is stored of a client. Most need a few hundred bytes; anyone can register. */
const MAX_METADATA_BYTES = 8 * 1024

/** An app may write null where it has nothing to say. */
const optionalText = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Null()], { description }))
const optionalList = (description: string) =>
  Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()], { description }))

/** RFC 7591 section 2. Every other field is ignored, those among them that would have this server fetch something. */
export const ClientMetadata = Type.Object({
  redirect_uris: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: MAX_REDIRECT_URIS,
    description:
      'https, http on a loopback address (its port is free later), or a private scheme such as com.example.app:/cb',
  }),
  client_name: optionalText(`What members are shown, up to ${MAX_NAME_LENGTH} visible characters`),
  client_uri: optionalText('A page about the app; kept if it is https'),
  grant_types: optionalList('authorization_code must be among them'),
  response_types: optionalList('code must be among them'),
})

/** The same once it was checked. */
export interface ClientDescription {
  /** What a person may be shown, but not believe: anyone can call an app anything. */
  readonly name: string
  /** https. */
  readonly uri: string | null
  /** At least one. */
  readonly redirectUris: readonly string[]
}

/** Throws an `OAuthError`: `invalid_redirect_uri` or `invalid_client_metadata` (RFC 7591 section 3.2.2). */
export function describeClient(metadata: Static<typeof ClientMetadata>): ClientDescription {
  const { redirect_uris: redirectUris, client_name: name, client_uri: uri } = metadata
  refuseRedirectUris(redirectUris)
  refuseOtherFlows(metadata)
  const description = {
    name: typeof name === 'string' ? visibleName(name) : nameless(redirectUris),
    uri: typeof uri === 'string' ? webPage(uri) : null,
    redirectUris,
  }
  if (Buffer.byteLength(JSON.stringify(description)) > MAX_METADATA_BYTES)
    throw new OAuthError(
      'invalid_client_metadata',
      `redirect_uris, client_name and client_uri must not exceed ${MAX_METADATA_BYTES} bytes together.`,
    )
  return description
}

function refuseRedirectUris(uris: readonly string[]): void {
  for (const [index, uri] of uris.entries()) {
    const problem = redirectUriProblem(uri)
    if (problem !== undefined)
      throw new OAuthError('invalid_redirect_uri', `redirect_uris[${index}]: ${problem}`)
  }
}

/** An app that names flows and leaves out the only one there is could never be let in. */
function refuseOtherFlows({
  grant_types: grants,
  response_types: responses,
}: Static<typeof ClientMetadata>): void {
  if (grants && !grants.includes('authorization_code'))
    throw new OAuthError('invalid_client_metadata', 'grant_types must have authorization_code.')
  if (responses && !responses.includes('code'))
    throw new OAuthError('invalid_client_metadata', 'response_types must have code.')
}

/** Controls, bidirectional overrides, unassigned characters, and whatever is drawn as nothing or as a bare gap. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** So many accents on one letter paint over the lines around it. */
const STACKED_MARKS = /\p{M}{5}/u

function visibleName(given: string): string {
  const name = given.replaceAll(/\p{Zs}+/gu, ' ').trim()
  if (name === '' || Array.from(name).length > MAX_NAME_LENGTH)
    throw new OAuthError(
      'invalid_client_metadata',
      `client_name must have 1 to ${MAX_NAME_LENGTH} visible characters.`,
    )
  if (INVISIBLE.test(name) || STACKED_MARKS.test(name))
    throw new OAuthError(
      'invalid_client_metadata',
      'client_name must be one line of visible characters, without controls or formatting.',
    )
  return name
}

function nameless([first = '']: readonly string[]): string {
  return redirectHost(first)
}

/** Null for anything but an https address: it is one link on one page, and no reason to turn an app away. */
function webPage(uri: string): string | null {
  if (uri.length > MAX_URI_LENGTH) return null
  const url = URL.parse(uri)
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null
}

export interface Client extends ClientDescription {
  readonly clientId: string
  /** False: it describes itself by a document at its client_id, an https URL. */
  readonly registered: boolean
}
