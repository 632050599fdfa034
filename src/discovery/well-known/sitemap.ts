/** Sitemaps (sitemaps.org 0.9): the pages of this service and every public profile, and an index when there are many. */

import { rfc3339 } from '../../base/clock.ts'
import { statement } from '../../db/statement.ts'
import type { Reader } from '../../db/database.ts'

export interface SitemapEntry {
  readonly url: string
  /** Milliseconds since 1970, if known. */
  readonly changedAt?: number
}

/** A fifth of the protocol's limit, because a file is generated in one synchronous step. */
export const PROFILES_A_FILE = 10_000

interface PublicProfile {
  readonly username: string
  readonly updated_at: number
}

/**
 * The start keys of the profile files: each is the last username of the previous file; the first is empty. One short
 * read per file: a million profiles take a third of a second, and other reads can run in between.
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

/** URLs need no escaping: usernames and document names contain only letters, digits and hyphens. */
function element(name: string, { url, changedAt }: SitemapEntry): string {
  const changed = changedAt === undefined ? '' : `<lastmod>${rfc3339(changedAt)}</lastmod>`
  return `<${name}><loc>${url}</loc>${changed}</${name}>\n`
}

/** The last username of a full file and the next one; scans the unique index on username. */
const END_OF_FILE = statement<{ after: string; skipped: number }, { username: string }>(
  `select username from members
   where username > :after and is_public = 1 and disabled_at is null
   order by username limit 2 offset :skipped`,
)
const PROFILES = statement<{ after: string; limit: number }, PublicProfile>(
  `select username, updated_at from members
   where username > :after and is_public = 1 and disabled_at is null order by username limit :limit`,
)
