/** `/sitemap.xml`, and the files of the index if one file cannot hold all profiles. */

import * as Type from '../../base/type.ts'
import { MINUTE, type Clock } from '../../base/clock.ts'
import { RequestError } from '../../base/request-error.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { defineRoute, pathTemplate, type Route } from '../../http/route.ts'
import { documentAnswer } from '../docs/document-route.ts'
import { readFileStarts, readPublicProfiles, sitemapIndexOf, sitemapOf } from './sitemap.ts'
import type { DiscoveryDeps } from '../docs/discovery-deps.ts'
import type { SitemapEntry } from './sitemap.ts'

interface SitemapDeps extends Pick<
  DiscoveryDeps,
  'database' | 'clock' | 'publicUrl' | 'library' | 'routes'
> {
  /** `PROFILES_A_FILE`, or fewer. */
  readonly profilesAFile: number
}

const XML_TYPE = 'application/xml; charset=utf-8'
const SITEMAP_ANSWER = { description: 'The sitemap', type: XML_TYPE, headers: ['ETag'] } as const

/** Crawlers read sitemaps about once a day; the cache limits how often requests read the whole directory. */
const FRESH = 10 * MINUTE

export function sitemapRoutes(deps: SitemapDeps): Route[] {
  const { database, clock } = deps
  const starts = keeping(clock, () => readFileStarts(database.anonymous, deps.profilesAFile))
  const whole = keeping(clock, async () =>
    documentAnswer(await writeSitemap(deps, await starts()), XML_TYPE),
  )
  return [
    defineRoute({
      method: 'GET',
      path: '/sitemap.xml',
      operationId: 'readSitemap',
      summary: 'Sitemap of the pages and public profiles, or an index of sitemap files',
      access: 'public',
      limit: LIMITS.directory,
      answers: { 200: SITEMAP_ANSWER },
      handle: () => whole(),
    }),
    defineRoute({
      method: 'GET',
      path: '/sitemap/:file.xml',
      operationId: 'readSitemapFile',
      summary: 'One file of the sitemap index',
      access: 'public',
      limit: LIMITS.directory,
      params: Type.Object({ file: Type.String({ description: '`pages`, or a number from 1' }) }),
      answers: {
        200: SITEMAP_ANSWER,
        404: { description: 'Sitemap file not found', type: 'problem' },
      },
      async handle({ params }) {
        const file = await writeFile(deps, params.file, await starts())
        return documentAnswer(file, XML_TYPE)
      },
    }),
  ]
}

/** One file if it can hold everything; otherwise an index of a file for the pages and several for the profiles. */
async function writeSitemap(deps: SitemapDeps, starts: readonly string[]): Promise<string> {
  if (starts.length === 1) return sitemapOf([...ownPages(deps), ...(await profiles(deps, ''))])
  const names = ['pages', ...starts.keys().map((place) => String(place + 1))]
  return sitemapIndexOf(names.map((name) => ({ url: `${deps.publicUrl}/sitemap/${name}.xml` })))
}

async function writeFile(
  deps: SitemapDeps,
  name: string,
  starts: readonly string[],
): Promise<string> {
  if (name === 'pages') return sitemapOf(ownPages(deps))
  const start = /^[1-9]\d{0,5}$/.test(name) ? starts[Number(name) - 1] : undefined
  if (start === undefined)
    throw new RequestError('not_found', 'Sitemap file not found. See /sitemap.xml.')
  return sitemapOf(await profiles(deps, start))
}

function ownPages({ publicUrl, library }: SitemapDeps): SitemapEntry[] {
  return [
    { url: `${publicUrl}/` },
    { url: `${publicUrl}/network` },
    { url: `${publicUrl}/docs` },
    ...library.documents().map(({ url }) => ({ url })),
  ]
}

async function profiles(deps: SitemapDeps, after: string): Promise<SitemapEntry[]> {
  const address = profileAddress(deps)
  const found = await readPublicProfiles(deps.database.anonymous, after, deps.profilesAFile)
  return found.map(({ username, updated_at }) => ({
    url: address(username),
    changedAt: updated_at,
  }))
}

const PAGE_PATH = '/human/:username'
const MARKDOWN_PATH = '/api/human/:username.md'

/** The URL of a profile page, or of its markdown if there is no page. */
function profileAddress({ publicUrl, routes }: SitemapDeps): (username: string) => string {
  const hasPage = routes().some(({ path }) => path === PAGE_PATH)
  const template = publicUrl + pathTemplate(hasPage ? PAGE_PATH : MARKDOWN_PATH)
  return (username) => template.replace('{username}', username)
}

/** Caches the result for a while. Concurrent callers share one call. Failures are not cached. */
function keeping<T>(clock: Clock, make: () => Promise<T>): () => Promise<T> {
  let kept: { readonly at: number; readonly value: Promise<T> } | undefined
  return () => {
    const now = clock.now()
    if (kept && now - kept.at < FRESH) return kept.value
    const made = { at: now, value: make() }
    kept = made
    made.value.catch(() => {
      if (kept === made) kept = undefined
    })
    return made.value
  }
}
