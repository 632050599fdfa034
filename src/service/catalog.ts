/** Every tool, job kind and route of Weft. */

import {
  CONNECTION_PROMPTS,
  CONNECTION_RESOURCES,
  CONNECTION_UNDOERS,
  connectionJobs,
  connectionTools,
} from '../connections/catalog.ts'
import { CONNECTION_APPS } from '../connections/apps/apps.ts'
import { connectionSkills } from '../connections/skills/skills.ts'
import { MEMBER_RESOURCES, MEMBER_UNDOERS, memberRoutes, memberTools } from '../members/catalog.ts'
import { searchDirectoryTool } from '../members/search-directory.tool.ts'
import { pageRoutes } from '../pages/catalog.ts'
import { askRoutes } from '../ask/ask.route.ts'
import { batchRoute } from '../batch/batch.route.ts'
import { ChargeQueue } from '../credits/charge-queue.ts'
import { docsAnswers } from '../discovery/docs/docs-answers.ts'
import { createLibrary } from '../discovery/docs/library.ts'
import { connectionExportResource } from '../exports/connection-export.resource.ts'
import { connectionExportRoute } from '../exports/connection-export.route.ts'
import { exportConnectionsTool } from '../exports/export-connections.tool.ts'
import { exportDataJob } from '../exports/export-data.job.ts'
import { exportRoute } from '../exports/export.route.ts'
import { discoveryRoutes } from '../discovery/catalog.ts'
import { fileImportJob } from '../imports/file-import.job.ts'
import { importConnectionsTool } from '../imports/import-connections.tool.ts'
import { importContactsPrompt } from '../imports/import-contacts.prompt.ts'
import { importUndoer } from '../imports/undo-import.ts'
import { createInFlight } from '../guards/in-flight.ts'
import { assetRoutes } from '../html/assets.route.ts'
import { cancelJobTool } from '../jobs/cancel-job.tool.ts'
import { getJobTool } from '../jobs/get-job.tool.ts'
import { listJobsTool } from '../jobs/list-jobs.tool.ts'
import { jobRoutes } from '../jobs/jobs.route.ts'
import { uploadRoute } from '../jobs/uploads.route.ts'
import { mcpRoutes } from '../mcp/server/mcp.route.ts'
import { oauthRoutes } from '../oauth/catalog.ts'
import { sandboxRoutes } from '../sandbox/catalog.ts'
import { signInRoutes } from '../sign-in/catalog.ts'
import { toolGuard } from '../tools/allowed-tools.ts'
import { getCreditsTool } from '../tools/get-credits.tool.ts'
import { listActivityTool } from '../tools/list-activity.tool.ts'
import { undoTool, undoTurns } from '../tools/undo.tool.ts'
import type { PasswordHasher } from '../access/password-hash.ts'
import type { Clock } from '../base/clock.ts'
import type { KeyedSemaphore } from '../base/keyed-semaphore.ts'
import type { Log } from '../base/log.ts'
import type { Trace } from '../base/tracing.ts'
import type { Database } from '../db/database.ts'
import type { RateLimits } from '../guards/rate-limits.ts'
import type { Caller } from '../http/caller.ts'
import type { Route } from '../http/route.ts'
import type { SmtpSettings } from '../email/smtp.ts'
import type { Job } from '../jobs/job.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import type { AttemptRecorder } from '../oauth/attempts/attempt-recorder.ts'
import type { ClientDocuments } from '../oauth/client-document.ts'
import type { NodeStatus } from '../pages/admin/admin-deps.ts'
import type { SignUp } from '../sign-in/session/admission.ts'
import type { OidcSettings } from '../sign-in/provider/provider.ts'
import type { Config } from '../config/config.ts'
import type { Prompt } from '../tools/prompt.ts'
import type { Resource } from '../tools/resource.ts'
import type { OnCalled } from '../tools/metered-call.ts'
import type { Tool } from '../tools/tool.ts'
import type { Undoer } from '../tools/undo.ts'

/** The dependencies of all records. */
interface Deps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly publicUrl: string
  readonly quota: number
  readonly version: string
  /** One per process, so that searches see new embeddings at once. */
  readonly embedder: Embedder
  /** Notifies the worker of this process of a new job. */
  readonly wake: () => void
  /** Shared by the undo tool and the undo buttons. */
  readonly undoTurns?: KeyedSemaphore<number>
}

export function listJobKinds(deps: Pick<Deps, 'embedder' | 'publicUrl'>): Job[] {
  return [fileImportJob, ...connectionJobs(deps), exportDataJob(deps)]
}

/** The undo handlers of all features. */
const UNDOERS: readonly Undoer[] = [...CONNECTION_UNDOERS, importUndoer, ...MEMBER_UNDOERS]

export function listTools(deps: Deps): Tool[] {
  const tools: Tool[] = [
    ...memberTools(deps),
    getCreditsTool({ quota: deps.quota, tools: () => tools }),
    ...connectionTools(deps),
    importConnectionsTool(deps),
    exportConnectionsTool(deps),
    getJobTool(deps),
    listJobsTool(deps),
    cancelJobTool(deps),
    listActivityTool,
    undoTool({ undoers: UNDOERS, ...(deps.undoTurns && { turns: deps.undoTurns }) }),
  ]
  return tools
}

/** In the sandbox, directory searches use the reader for anonymous callers. */
function forAnonymous({ database, publicUrl }: Deps): (tool: Tool) => Tool {
  const searchDirectory = searchDirectoryTool({ database, publicUrl, reader: database.anonymous })
  return (tool) => (tool.name === searchDirectory.name ? searchDirectory : tool)
}

const RESOURCES: readonly Resource[] = [
  ...MEMBER_RESOURCES,
  ...CONNECTION_RESOURCES,
  connectionExportResource,
]

const PROMPTS: readonly Prompt[] = [...CONNECTION_PROMPTS, importContactsPrompt]

/** The dependencies of routes only. */
interface RouteDeps extends Deps {
  readonly uploadQuotaMb: number
  authenticate(authorization: string | undefined): Promise<Caller>
  readonly documents: ClientDocuments
  readonly hasher: PasswordHasher
  readonly limits: RateLimits
  /** Whether this is the only node. */
  readonly asksLegacyClients: boolean
  readonly node: NodeStatus
  readonly securityContact: string | null
  readonly privacyPolicy: string | null
  readonly termsOfService: string | null
  readonly mcpRegistryAuth: string | null
  readonly openaiAppsChallenge: string | null
  /** The operator's overrides, by policy name. */
  readonly rateLimits: Config['rateLimits']
  readonly refreshGraceSeconds: number
  readonly signUp: SignUp
  readonly oidc: OidcSettings | null
  readonly smtp: SmtpSettings | null
  readonly attempts: AttemptRecorder
  readonly onCalled?: OnCalled | undefined
  readonly trace?: Trace | undefined
}

export function listRoutes(deps: RouteDeps): Route[] {
  const all: Route[] = []
  const turns = undoTurns()
  const tools = listTools({ ...deps, undoTurns: turns })
  const shared = {
    ...deps,
    undoTurns: turns,
    tools,
    requireTool: toolGuard(tools),
    resources: RESOURCES,
    prompts: PROMPTS,
    skills: connectionSkills(),
    apps: CONNECTION_APPS,
    jobs: listJobKinds(deps),
    undoers: UNDOERS,
    inFlight: createInFlight(),
    charges: new ChargeQueue(),
    sendsEmail: deps.smtp !== null,
    routes: () => all,
  }
  const library = createLibrary(shared)
  all.push(
    ...memberRoutes(shared),
    ...jobRoutes(shared),
    uploadRoute(shared),
    exportRoute(shared),
    connectionExportRoute(shared),
    ...mcpRoutes(shared),
    ...oauthRoutes(shared),
    ...signInRoutes(shared),
    ...pageRoutes(shared),
    ...assetRoutes(),
    ...discoveryRoutes({ ...shared, library }),
    ...askRoutes({ ...shared, sources: [docsAnswers(library)] }),
    batchRoute(shared),
  )
  // Copies all public routes, so it comes last.
  all.push(...sandboxRoutes({ ...shared, tools: shared.tools.map(forAnonymous(deps)) }))
  return all
}
