/** The photos that people have published at Gravatar for their email addresses. */

import { hash } from 'node:crypto'
import { readPhoto, type Photo } from '../../contact-files/contact/photo.ts'
import { PUBLIC_ONLY } from '../../http/public-fetch/public-address.ts'
import {
  FetchFailure,
  fetchPublic,
  type FetchPolicy,
} from '../../http/public-fetch/public-fetch.ts'
import type { OutgoingPermit } from '../../base/concurrency/outgoing-pool.ts'

/** https://docs.gravatar.com/sdk/images/ */
export const GRAVATAR_URL = 'https://gravatar.com/avatar/'
/** Pixels per side, enough for a person's page. */
const SIDE = 256
/** A photo of this side has at most some tens of kilobytes. */
const MAX_BYTES = 512 * 1024

/** The address of the photo of an email address. Gravatar answers 404 if there is none. */
export function gravatarOf(email: string, service: string = GRAVATAR_URL): URL {
  const url = new URL(hash('sha256', email.trim().toLowerCase()), service)
  url.search = `?s=${SIDE}&d=404`
  return url
}

/**
 * Undefined if there is none, or it is too large or no photo.
 *
 * @throws {FetchFailure} when the service cannot be reached, or answers with another error than 404.
 */
export async function fetchGravatar(
  permit: OutgoingPermit,
  url: URL,
  policy: Partial<FetchPolicy> = {},
): Promise<Photo | undefined> {
  const headers = { accept: 'image/*', 'user-agent': 'Weft (photos)' }
  try {
    const request = { headers, maxBytes: MAX_BYTES }
    const { status, bytes } = await fetchPublic(permit, url, { ...PUBLIC_ONLY, ...policy }, request)
    if (status === 404) return undefined
    if (status !== 200) throw new FetchFailure('unreachable')
    const photo = readPhoto(bytes)
    return 'refused' in photo ? undefined : photo
  } catch (error) {
    if (error instanceof FetchFailure && error.reason === 'too_large') return undefined
    throw error
  }
}
