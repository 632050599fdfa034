/** Sitemaps (sitemaps.org 0.9): the pages of this service and every public profile, and an index when there are many. */

import { rfc3339 } from '../../base/clock.ts'
import { statement } from '../../db/statement.ts'
import type { Reader } from '../../db/database.ts'

export interface SitemapEntry {
  readonly url: string
  /** Milliseconds since 1970, where it is known. */
  readonly changedAt?: number
}

/** A fifth of what a file may hold: it is read and written in one go, while others wait. */
export const PROFILES_A_FILE = 10_000

export interface PublicProfile {
  readonly username: string
  readonly updated_at: number
}

/**
 * Where the files of profiles begin: each behind the last username of the one before, the first behind nothing. One short
 * read for each file: a million profiles take a third of a second, and searches pass in between.
 */
export async function readFileStarts(db: Reader, profiles: number): Promise<string[]> {
  const starts: string[] = []
  let next: string | undefined = ''
  while (next !== undefined) {
    starts.push(next)
    const [last, beyond]: { username: string }[] = await db.all(END_OF_FILE, {
      after: next,
      skipped: profiles - 1,
    })
    next = beyond && last?.username
  }
  return starts
}

export async function readPublicProfiles(
  db: Reader,
  after: string,
  limit: number,
): Promise<PublicProfile[]> {
  return db.all(PROFILES, { after, limit })
}

export function sitemapOf(entries: readonly SitemapEntry[]): string {
  return `${XML}<urlset xmlns="${NAMESPACE}">\n${entries.map((entry) => element('url', entry)).join('')}</urlset>\n`
}

export function sitemapIndexOf(files: readonly SitemapEntry[]): string {
  return `${XML}<sitemapindex xmlns="${NAMESPACE}">\n${files.map((file) => element('sitemap', file)).join('')}</sitemapindex>\n`
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** Addresses of ours need no escaping: usernames and names of documents are letters, digits and hyphens. */
function element(name: string, { url, changedAt }: SitemapEntry): string {
  const changed = changedAt === undefined ? '' : `<lastmod>${rfc3339(changedAt)}</lastmod>`
  return `<${name}><loc>${url}</loc>${changed}</${name}>\n`
}

/** The last of a whole file, and whoever comes after; walks the unique index on username. */
const END_OF_FILE = statement<{ after: string; skipped: number }, { username: string }>(
  `select username from members
   where username > :after and is_public = 1 and disabled_at is null
   order by username limit 2 offset :skipped`,
)
const PROFILES = statement<{ after: string; limit: number }, PublicProfile>(
  `select username, updated_at from members
   where username > :after and is_public = 1 and disabled_at is null order by username limit :limit`,
)
