/** `GET /api/human/:username`, `.json` and `.md`: the hottest reads of the service. */

import { hash } from 'node:crypto'
import Type from 'typebox'
import { Refusal } from '../base/refusal.ts'
import { JSON_TYPE, MARKDOWN_TYPE, type Answer } from '../http/answer.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { findMemberByUsername, type Member } from './member.ts'
import { prefersMarkdown } from './prefers-markdown.ts'
import { isReadable, Profile, profileOf } from './profile.ts'
import { profileMarkdown } from './profile-markdown.ts'
import type { Reader } from '../db/database.ts'

export interface ProfileParts {
  readonly database: Reader
  /** `WEFT_PUBLIC_URL`, with no slash at its end. */
  readonly publicUrl: string
}

// No pattern: a name of a wrong shape is one that nobody holds, and is answered as such.
const Params = Type.Object({ username: Type.String({ description: 'In any case' }) })

/** Long enough to spare a burst, short enough that a profile made private is gone in a minute. Seconds. */
const CACHE_CONTROL = 'public, max-age=60'

const NOT_FOUND = {
  404: { description: 'Unknown or private; which of them is not told', type: 'problem' },
} as const
const AS_JSON = { description: 'The profile', schema: Profile }
const AS_MARKDOWN = { description: 'The profile as markdown', type: MARKDOWN_TYPE }

export function profileRoutes({ database, publicUrl }: ProfileParts): Route[] {
  const represent = representations(publicUrl)
  return [
    defineRoute({
      method: 'GET',
      path: '/api/human/:username',
      operationId: 'getProfile',
      summary: 'Read a public profile',
      description: 'JSON, or markdown where the Accept header prefers text/markdown.',
      access: 'public',
      params: Params,
      answers: { 200: AS_JSON, ...NOT_FOUND },
      hot: true,
      async handle(request) {
        const member = await requireReadable(database, request.params.username)
        return prefersMarkdown(request.header('accept'))
          ? represent.markdown(member)
          : represent.json(member)
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/human/:username.json',
      operationId: 'getProfileJson',
      summary: 'Read a public profile as JSON',
      access: 'public',
      params: Params,
      answers: { 200: AS_JSON, ...NOT_FOUND },
      hot: true,
      async handle({ params }) {
        return represent.json(await requireReadable(database, params.username))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/human/:username.md',
      operationId: 'getProfileMarkdown',
      summary: 'Read a public profile as markdown',
      access: 'public',
      params: Params,
      answers: { 200: AS_MARKDOWN, ...NOT_FOUND },
      hot: true,
      async handle({ params }) {
        return represent.markdown(await requireReadable(database, params.username))
      },
    }),
  ]
}

/** Private, disabled and unknown are one answer, so that nobody learns who is a member. */
async function requireReadable(database: Reader, username: string): Promise<Member> {
  const member = await findMemberByUsername(database, username)
  if (member && isReadable(member)) return member
  throw new Refusal('not_found', 'There is no public profile with this username.', {
    hint: 'GET /api/network/members?q= searches the public directory.',
  })
}

/** The same profile in two formats. `Vary` on all three paths: on two it is needless and does no harm. */
function representations(publicUrl: string) {
  // A profile holds the service's own address, so its validator changes with it.
  const mark = hash('sha256', publicUrl, 'base64url').slice(0, 6)
  const answer = (type: string, format: string, member: Member, body: string): Answer => ({
    status: 200,
    headers: {
      'content-type': type,
      etag: `"${format}${member.memberId.toString(36)}.${member.version}.${mark}"`,
      'cache-control': CACHE_CONTROL,
      vary: 'Accept',
    },
    body,
  })
  return {
    json: (member: Member) =>
      answer(JSON_TYPE, 'j', member, JSON.stringify(profileOf(member, publicUrl))),
    markdown: (member: Member) =>
      answer(MARKDOWN_TYPE, 'm', member, profileMarkdown(profileOf(member, publicUrl))),
  }
}
