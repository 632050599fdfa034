/** What the routes of pages and documents about the service need. */

import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Database } from '../../db/database.ts'
import type { OperatorTexts } from '../../html/legal-links.ts'
import type { Limits } from '../../http/rate-limit-policy.ts'
import type { Route } from '../../http/route.ts'
import type { Tool } from '../../tools/tool.ts'
import type { Library } from './library.ts'

export interface DiscoveryDeps extends OperatorTexts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  /** `WEFT_PUBLIC_URL`, without a trailing slash. */
  readonly publicUrl: string
  readonly version: string
  /** The repository of server.json: `source` is the host, as `github`. */
  readonly repository?: { readonly url: string; readonly source: string } | undefined
  readonly tools: readonly Tool[]
  /** All documents; `/ask` searches them too. */
  readonly library: Library
  /** `WEFT_DEMO`. */
  readonly demo: 'on' | 'off'
  /** `WEFT_SECURITY_CONTACT`, or null. */
  readonly securityContact: string | null
  /** `WEFT_MCP_REGISTRY_AUTH`: the public key for publishing to the MCP registry, or null. */
  readonly mcpRegistryAuth: string | null
  /** `WEFT_OPENAI_APPS_CHALLENGE`: the token for an app in ChatGPT's directory, or null. */
  readonly openaiAppsChallenge: string | null
  readonly limits: Limits
  /** All routes of the service, including these, once they are known. */
  readonly routes: () => readonly Route[]
}
