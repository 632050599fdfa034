/** Client metadata (RFC 7591), for registered clients and for clients that publish a document. */

import * as Type from '../base/type.ts'
import type { Static } from 'typebox'
import { MAX_URI_LENGTH } from '../base/limits.ts'
import { OAuthError } from './oauth-error.ts'
import { redirectHost, redirectUriProblem } from './redirect-uri.ts'

const MAX_REDIRECT_URIS = 10
/** Code points. */
const MAX_NAME_LENGTH = 120
/** For everything stored about a client. Most need a few hundred bytes, but anyone can register. */
const MAX_METADATA_BYTES = 8 * 1024

/** Some clients send null for fields that they leave out. */
const optionalText = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Null()], { description }))
const optionalList = (description: string) =>
  Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()], { description }))

/** RFC 7591 section 2. Other fields are ignored, including those that would make this server fetch a URL. */
export const ClientMetadata = Type.Object({
  redirect_uris: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: MAX_REDIRECT_URIS,
    description:
      'https, http on a loopback address (any port matches later), or a private scheme such as com.example.app:/cb',
  }),
  client_name: optionalText(
    `The name shown to members, up to ${MAX_NAME_LENGTH} visible characters`,
  ),
  client_uri: optionalText('A page about the app; kept if it is https'),
  grant_types: optionalList('Must include authorization_code'),
  response_types: optionalList('Must include code'),
})

export interface ClientDescription {
  /** Safe to display, but not trustworthy: anyone can choose any name. */
  readonly name: string
  /** An https URL. */
  readonly uri: string | null
  /** At least one. */
  readonly redirectUris: readonly string[]
}

/**
 * @throws {OAuthError} `invalid_redirect_uri` when a redirect URI is not allowed (RFC 7591 section 3.2.2).
 * @throws {OAuthError} `invalid_client_metadata` when another field is not valid.
 */
export function describeClient(metadata: Static<typeof ClientMetadata>): ClientDescription {
  const { redirect_uris: redirectUris, client_name: name, client_uri: uri } = metadata
  checkRedirectUris(redirectUris)
  checkFlows(metadata)
  const description = {
    name: typeof name === 'string' ? visibleName(name) : defaultName(redirectUris),
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

function checkRedirectUris(uris: readonly string[]): void {
  for (const [index, uri] of uris.entries()) {
    const problem = redirectUriProblem(uri)
    if (problem !== undefined)
      throw new OAuthError('invalid_redirect_uri', `redirect_uris[${index}]: ${problem}`)
  }
}

/** A client that lists flows without the only supported one could never connect. */
function checkFlows({
  grant_types: grants,
  response_types: responses,
}: Static<typeof ClientMetadata>): void {
  if (grants && !grants.includes('authorization_code'))
    throw new OAuthError('invalid_client_metadata', 'grant_types must include authorization_code.')
  if (responses && !responses.includes('code'))
    throw new OAuthError('invalid_client_metadata', 'response_types must include code.')
}

/** Controls, bidirectional overrides, unassigned characters, and characters that render as nothing or as a gap. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** This many combining marks on one letter overlap the surrounding lines. */
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

function defaultName([first = '']: readonly string[]): string {
  return redirectHost(first)
}

/** Null for anything but an https URL. It is only one link on one page, so an invalid one is not an error. */
function webPage(uri: string): string | null {
  if (uri.length > MAX_URI_LENGTH) return null
  const url = URL.parse(uri)
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null
}

export interface Client extends ClientDescription {
  readonly clientId: string
  /** If false, the client_id is the https URL of a metadata document. */
  readonly registered: boolean
}
