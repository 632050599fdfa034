/** `GET /api/human/:username`, `.json` and `.md`: the most frequent reads of the service. */

import { hash } from 'node:crypto'
import { BoundedMap } from '../../base/memoize.ts'
import * as Type from '../../base/type.ts'
import { RequestError } from '../../base/request-error.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { JSON_TYPE, MARKDOWN_TYPE, json, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { statement } from '../../db/statement.ts'
import { findNewUsername } from '../former-usernames.ts'
import { findMember } from '../member.ts'
import { isListed, type Member } from '../member-row.ts'
import { prefersMarkdown } from './prefers-markdown.ts'
import { Profile, profileOf } from '../profile.ts'
import { profileMarkdown } from './profile-markdown.ts'
import { usernameKey } from '../usernames.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'

interface ProfileDeps {
  readonly database: Database
  readonly clock: Clock
  /** `WEFT_PUBLIC_URL`, without a trailing slash. */
  readonly publicUrl: string
}

// No pattern: a malformed username matches no member and gets the same 404.
const Params = Type.Object({ username: Type.String({ description: 'Case-insensitive' }) })

/** Long enough for bursts, short enough that a private profile disappears within a minute. Seconds. */
const CACHE_CONTROL = 'public, max-age=60'

const NOT_FOUND = {
  404: { description: 'Unknown or private; the response does not say which', type: 'problem' },
} as const
const AS_JSON = { description: 'The profile', schema: Profile, headers: ['ETag'] } as const
const AS_MARKDOWN = {
  description: 'The profile as markdown',
  type: MARKDOWN_TYPE,
  headers: ['ETag'],
} as const

const MOVED = {
  301: {
    description: 'The member has a new username; the former one redirects for 180 days',
    schema: Type.Object({
      object: Type.Literal('moved'),
      username: Type.String(),
      location: Type.String({ format: 'uri' }),
    }),
    headers: ['Location'],
  },
} as const

export function profileRoutes(deps: ProfileDeps): Route[] {
  const represent = representations(deps.database, deps.publicUrl)
  const read = async (username: string, format: 'json' | 'markdown', extension: string) =>
    (await represent[format](username)) ?? (await answerMoved(deps, username, extension))
  return [
    defineRoute({
      method: 'GET',
      path: '/api/human/:username',
      operationId: 'getProfile',
      summary: 'Read a public profile',
      description: 'JSON, or markdown if the Accept header prefers text/markdown.',
      access: 'public',
      limit: LIMITS.profile,
      params: Params,
      answers: { 200: { ...AS_JSON, type: MARKDOWN_TYPE }, ...MOVED, ...NOT_FOUND },
      batchable: true,
      handle(request) {
        const { username } = request.params
        const format = prefersMarkdown(request.header('accept')) ? 'markdown' : 'json'
        return read(username, format, '')
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/human/:username.json',
      operationId: 'getProfileJson',
      summary: 'Read a public profile as JSON',
      access: 'public',
      limit: LIMITS.profile,
      params: Params,
      answers: { 200: AS_JSON, ...MOVED, ...NOT_FOUND },
      batchable: true,
      handle: ({ params }) => read(params.username, 'json', '.json'),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/human/:username.md',
      operationId: 'getProfileMarkdown',
      summary: 'Read a public profile as markdown',
      access: 'public',
      limit: LIMITS.profile,
      params: Params,
      answers: { 200: AS_MARKDOWN, ...MOVED, ...NOT_FOUND },
      batchable: true,
      handle: ({ params }) => read(params.username, 'markdown', '.md'),
    }),
  ]
}

/**
 * The redirect from a former username, in the same format.
 *
 * @throws {RequestError} `not_found` when no member has or had the username.
 */
async function answerMoved(
  { database, publicUrl, clock }: ProfileDeps,
  former: string,
  extension: string,
): Promise<Answer> {
  const username = await findNewUsername(database, former, clock.now())
  if (username === undefined) throw notFound()
  const location = `${publicUrl}/api/human/${username}${extension}`
  const headers = { location, 'cache-control': CACHE_CONTROL }
  return json({ object: 'moved', username, location }, 301, headers)
}

/** Undefined if the username has no readable profile. */
type Representation = (username: string) => Promise<Answer | undefined>

/** The same profile in two formats. */
function representations(
  database: Database,
  publicUrl: string,
): Record<'json' | 'markdown', Representation> {
  // A profile contains the public URL, so its ETag depends on it.
  const mark = hash('sha256', publicUrl, 'base64url').slice(0, 6)
  const answer = (type: string, format: string, member: Member, body: string): Answer => ({
    status: 200,
    headers: {
      'content-type': type,
      etag: `"${format}${member.memberId.toString(36)}.${member.version}.${mark}"`,
      'cache-control': CACHE_CONTROL,
      // Not needed on the paths with an extension, but harmless.
      vary: 'Accept',
    },
    body,
  })
  return {
    json: keeping(database, (member) =>
      answer(JSON_TYPE, 'j', member, JSON.stringify(profileOf(member, publicUrl))),
    ),
    markdown: keeping(database, async (member) =>
      answer(MARKDOWN_TYPE, 'm', member, await profileMarkdown(profileOf(member, publicUrl))),
    ),
  }
}

/** Per format: 15 MB with profiles of 1.5 KB. */
const MAX_CACHED = 10_000

/**
 * Looks up visibility and version on every request, and caches the rendered profile by version. Reading two columns
 * without rendering takes 4 µs instead of 15 (JSON) or 100 (markdown).
 */
function keeping(
  database: Database,
  render: (member: Member) => Answer | Promise<Answer>,
): Representation {
  const kept = new BoundedMap<number, { readonly version: number; readonly answer: Answer }>(
    MAX_CACHED,
  )
  return async (username) => {
    const key = usernameKey(username)
    const readable = await database.shareRead(`readable ${key}`, () =>
      database.get(READABLE, { username: key }),
    )
    if (!readable) return undefined
    const before = kept.get(readable.member_id)
    if (before?.version === readable.version) return before.answer
    const member = await findMember(database, readable.member_id)
    if (!member || !isListed(member)) return undefined
    const answer = await render(member)
    kept.set(member.memberId, { version: member.version, answer })
    return answer
  }
}

/** The same for private, disabled and unknown profiles, so that it does not reveal who is a member. */
function notFound(): RequestError {
  return new RequestError('not_found', 'There is no public profile with this username.', {
    hint: 'GET /api/network/members?q= searches the public directory.',
  })
}

/** By the unique index on username. */
const READABLE = statement<{ username: string }, { member_id: number; version: number }>(
  `select member_id, version from members
   where username = :username and is_public = 1 and disabled_at is null`,
)
