/**
 * A minimal server for profiles: node:http, one prepared statement of node:sqlite, one JSON.stringify, and the
 * same response headers as Weft. No router, no checks, no limits, no other path.
 * `node plain-profile.ts <file> <port> <public url> [optimized]`
 */

import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

const [file = '', port = '0', publicUrl = '', optimized] = process.argv.slice(2)
const EXPOSED =
  'X-Request-Id, ETag, Link, Location, Retry-After, WWW-Authenticate, RateLimit, RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Idempotency-Replayed, Deprecation, Sunset'
const UNCOUNTED = [
  'ratelimit',
  '"profile";r=999999998;t=60',
  'ratelimit-policy',
  '"profile";q=999999999;w=60',
  'ratelimit-limit',
  '999999999',
  'ratelimit-remaining',
  '999999998',
  'ratelimit-reset',
  '60',
]
const BEFORE = '/api/human/'

const database = new DatabaseSync(file, { readOnly: true })
const byUsername = database.prepare('select * from members where username = ?')

interface Row {
  readonly member_id: number
  readonly username: string
  readonly version: number
  readonly joined_at: number
  readonly updated_at: number
  readonly skills: string
  readonly links: string
  readonly [column: string]: string | number | null
}

let requests = 0

const server = createServer(
  { optimizeEmptyRequests: optimized !== undefined },
  (request, response) => {
    const row = byUsername.get((request.url ?? '').slice(BEFORE.length)) as Row | undefined
    if (!row) {
      response.writeHead(404).end()
      return
    }
    const etag = `"j${row.member_id.toString(36)}.${row.version}.abcdef"`
    const headers = [
      'x-request-id',
      `req_${(requests += 1).toString(36).padStart(14, '0')}`,
      'access-control-allow-origin',
      '*',
      'access-control-expose-headers',
      EXPOSED,
      'x-content-type-options',
      'nosniff',
      'strict-transport-security',
      'max-age=31536000',
      ...UNCOUNTED,
    ]
    const cached = ['etag', etag, 'cache-control', 'public, max-age=60', 'vary', 'Accept']
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, [...headers, ...cached]).end()
      return
    }
    const body = JSON.stringify(profileOf(row))
    response.writeHead(200, [
      ...headers,
      'content-type',
      'application/json; charset=utf-8',
      ...cached,
      'content-length',
      String(Buffer.byteLength(body)),
    ])
    response.end(body)
  },
)
server.listen(Number(port), '127.0.0.1')

function profileOf(row: Row): object {
  return {
    object: 'human',
    username: row.username,
    name: row['name'],
    headline: row['headline'],
    about: row['about'],
    location: row['location'],
    organization: row['organization'],
    title: row['title'],
    skills: JSON.parse(row.skills) as unknown,
    links: JSON.parse(row.links) as unknown,
    avatar_url: row['avatar_url'],
    profile_url: `${publicUrl}/human/${row.username}`,
    markdown_url: `${publicUrl}/api/human/${row.username}.md`,
    joined_at: new Date(row.joined_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  }
}
