/** `GET /sandbox`: lists what the sandbox contains and what it does not. */

import * as Type from '../base/type.ts'
import { DEMO_MEMBER } from '../connections/demo/demo-member.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { json } from '../http/response.ts'
import { defineRoute, pathTemplate, type Route } from '../http/route.ts'
import { findMemberByUsername } from '../members/member.ts'
import { profileUrl } from '../members/profile.ts'
import { NOT_MOUNTED, SANDBOX_PREFIX } from './mount.ts'
import { TOOL_PATHS } from './mcp.route.ts'
import type { Database } from '../db/database.ts'
import type { LimitPolicy } from '../http/rate-limit-policy.ts'

export interface DescriptionDeps {
  readonly database: Database
  readonly publicUrl: string
  /** The operator's overrides, by policy name. */
  readonly rateLimits: Readonly<Record<string, Pick<LimitPolicy, 'quota' | 'window'>>>
}

const SandboxDocument = Type.Object({
  object: Type.Literal('sandbox'),
  description: Type.String(),
  seeded: Type.Boolean({ description: 'Whether the demo account exists' }),
  demo_account: Type.Object({
    username: Type.String(),
    name: Type.String(),
    url: Type.String({ format: 'uri' }),
  }),
  mcp: Type.Array(Type.String({ format: 'uri' }), {
    description: 'The tool endpoint; both URLs are equivalent',
  }),
  paths: Type.Array(
    Type.Object({ method: Type.String(), path: Type.String(), description: Type.String() }),
  ),
  limits: Type.Array(
    Type.Object({
      name: Type.String(),
      quota: Type.Integer({ description: 'Requests per window and client address' }),
      window: Type.Integer({ description: 'Seconds' }),
    }),
  ),
  not_mounted: Type.Array(Type.Object({ path: Type.String(), reason: Type.String() })),
})

/** Short, because the demo account may be created at any time. */
const CACHE_CONTROL = 'public, max-age=30'

export function descriptionRoute(deps: DescriptionDeps, mounted: readonly Route[]): Route {
  const { database, publicUrl } = deps
  const policies = limitsOf(mounted, deps.rateLimits)
  return defineRoute({
    method: 'GET',
    path: SANDBOX_PREFIX,
    operationId: 'describeSandbox',
    summary: 'Describe the sandbox',
    description:
      'A copy of every public path, and the tools on a demo account that cannot be changed.',
    access: 'public',
    answers: {
      200: {
        description: 'What the sandbox contains and what it does not',
        schema: SandboxDocument,
        headers: ['ETag'],
      },
    },
    async handle() {
      const { username, name } = DEMO_MEMBER
      const document = {
        object: 'sandbox',
        description:
          'Try everything that needs no credential, and the tools of a member on a demo account. Nothing is written.',
        seeded: (await findMemberByUsername(database, username)) !== undefined,
        demo_account: { username, name, url: profileUrl(username, publicUrl) },
        mcp: TOOL_PATHS.map((path) => publicUrl + path),
        paths: mounted.filter(({ forPeople }) => !forPeople).map(pathOf),
        limits: policies,
        not_mounted: NOT_MOUNTED,
      }
      return json(document, 200, { 'cache-control': CACHE_CONTROL })
    },
  })
}

function pathOf({ method, path, summary: description }: Route) {
  return { method, path: pathTemplate(path), description }
}

function limitsOf(mounted: readonly Route[], rateLimits: DescriptionDeps['rateLimits']) {
  const all = [LIMITS.sandbox, ...mounted.flatMap(({ limit }) => limit ?? [])]
  const byName = new Map(all.map((policy) => [policy.name, policy]))
  return [...byName.values()].map((policy) => {
    const { quota, window } = rateLimits[policy.name] ?? policy
    return { name: policy.name, quota, window }
  })
}
