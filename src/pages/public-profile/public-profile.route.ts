/** `/human/:username`: a public profile as a page. `.md` or the Accept header returns Markdown. */

import { t } from '../../languages/message.ts'
import * as Type from '../../base/type.ts'
import { RequestError } from '../../base/request-error.ts'
import {
  MARKDOWN_ANSWER,
  markdownAnswer,
  PAGE_ANSWER,
  sharedAnswer,
  type LazyPage,
} from '../../discovery/docs/negotiated-page.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { workspaceMessage } from '../../html/message.page.ts'
import { prefers } from '../../http/content/accept.ts'
import { MARKDOWN_TYPE, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { findNewUsername } from '../../members/former-usernames.ts'
import { findMemberByUsername } from '../../members/member.ts'
import { isListed, type Member } from '../../members/member-row.ts'
import { profileOf, profileUrl } from '../../members/profile.ts'
import { profileMarkdown } from '../../members/public/profile-markdown.ts'
import { DIRECTORY_PATH } from '../../html/site-map.ts'
import { profilePhotoRoute } from './profile-photo.route.ts'
import { jsonUrl, markdownPageUrl } from './profile-urls.ts'
import { profilePage } from './public-profile.page.ts'
import type { OperatorTexts } from '../../html/legal-links.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'

export interface HumanDeps extends OperatorTexts {
  readonly database: Database
  readonly clock: Clock
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
}

// No pattern: a malformed username gets the same 404 as an unknown one.
const Params = Type.Object({ username: Type.String({ description: 'Case-insensitive' }) })

/** In seconds, the same as for the profile as JSON: a profile made private disappears within a minute. */
const CACHE_CONTROL = 'public, max-age=60'

const ELSEWHERE = {
  301: {
    description: 'The username changed; the old one redirects for 180 days',
    headers: ['Location'],
  },
  404: {
    description: 'Unknown or private; the response does not say which',
    type: ['text/html; charset=utf-8', MARKDOWN_TYPE, 'problem'],
  },
} as const

export function humanRoutes(deps: HumanDeps): Route[] {
  return [
    profilePhotoRoute(deps),
    defineRoute({
      method: 'GET',
      path: '/human/:username',
      operationId: 'readProfilePage',
      summary: 'Read a public profile as a page',
      access: 'public',
      limit: LIMITS.profile,
      params: Params,
      answers: { 200: PAGE_ANSWER, ...ELSEWHERE },
      handle: ({ params: { username }, header, requestId }) =>
        answerHuman(deps, { username, extension: '', accept: header('accept'), requestId }),
    }),
    defineRoute({
      method: 'GET',
      path: '/human/:username.md',
      operationId: 'readProfilePageMarkdown',
      summary: 'Read a public profile as Markdown',
      access: 'public',
      limit: LIMITS.profile,
      params: Params,
      answers: { 200: MARKDOWN_ANSWER, ...ELSEWHERE },
      handle: ({ params: { username }, header, requestId }) =>
        answerHuman(deps, { username, extension: '.md', accept: header('accept'), requestId }),
    }),
  ]
}

interface ProfileRequest {
  readonly username: string
  readonly extension: '' | '.md'
  readonly accept: string | undefined
  readonly requestId: string
}

async function answerHuman(deps: HumanDeps, asked: ProfileRequest): Promise<Answer> {
  const { username, extension, accept, requestId } = asked
  const member = await findReadable(deps, username)
  if (!member)
    return (await movedAnswer(deps, username, extension)) ?? notFoundAnswer(accept, requestId)
  const page = pageOf(member, deps)
  return extension === '.md' ? markdownAnswer(page) : sharedAnswer(accept, page)
}

/** Undefined if the username is unknown or the profile is not public. */
async function findReadable(
  { database }: HumanDeps,
  username: string,
): Promise<Member | undefined> {
  const member = await findMemberByUsername(database, username)
  return member && isListed(member) ? member : undefined
}

function pageOf(member: Member, deps: HumanDeps): LazyPage {
  const { publicUrl } = deps
  const { username } = member
  const profile_url = profileUrl(username, publicUrl)
  const link = [
    `<${profile_url}>; rel="canonical"`,
    `<${markdownPageUrl(username, publicUrl)}>; rel="alternate"; type="text/markdown"`,
    `<${jsonUrl(username, publicUrl)}>; rel="alternate"; type="application/json"`,
  ].join(', ')
  return {
    html: () => profilePage(member, deps),
    markdown: () => profileMarkdown(profileOf(member, publicUrl)),
    headers: { 'cache-control': CACHE_CONTROL, link },
  }
}

/** The redirect for a former username; undefined if it is unknown. */
async function movedAnswer(
  { database, clock, publicUrl }: HumanDeps,
  former: string,
  extension: string,
): Promise<Answer | undefined> {
  const username = await findNewUsername(database, former, clock.now())
  if (username === undefined) return undefined
  const location = profileUrl(username, publicUrl) + extension
  return { status: 301, headers: { location, 'cache-control': CACHE_CONTROL }, body: undefined }
}

/** Private, disabled and unknown profiles get the same response, which does not reveal who is a member. Programs get
 * the error as JSON. */
function notFoundAnswer(accept: string | undefined, requestId: string): Answer {
  const error = new RequestError('not_found', t('No public profile with this username.'), {
    hint: t('GET {directoryPath} searches the public directory.', {
      directoryPath: DIRECTORY_PATH,
    }),
  })
  if (!prefers(accept, 'text/html', 'application/json')) throw error
  return workspaceMessage({
    status: error.status,
    title: t('Profile not found'),
    text: error.message,
    hint: t('The profile may be private, or the URL may be mistyped.'),
    action: { href: DIRECTORY_PATH, label: t('Search the directory') },
    headers: { vary: 'Accept, Accept-Language, Cookie' },
    requestId,
  })
}
