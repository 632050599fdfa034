/** Every tool and job kind of Weft, and everything else that calls need. Loaded with the first call or the first job. */

import {
  CONNECTION_PROMPTS,
  CONNECTION_UNDOERS,
  connectionJobs,
  connectionResources,
  connectionTools,
} from '../connections/catalog.ts'
import { CONNECTION_APPS } from '../connections/apps/apps.ts'
import { connectionSkills } from '../connections/skills/skills.ts'
import { MEMBER_UNDOERS, memberResources, memberTools } from '../members/catalog.ts'
import { explainPeople } from '../connections/search/explain-people.ts'
import { searchDirectoryTool } from '../members/search-directory.tool.ts'
import { ChargeQueue } from '../credits/charge-queue.ts'
import { connectionExportResource } from '../exports/connection-export.resource.ts'
import { exportConnectionsTool } from '../exports/export-connections.tool.ts'
import { exportDataJob } from '../exports/export-data.job.ts'
import { fileImportJob } from '../imports/file-import.job.ts'
import { importConnectionsTool } from '../imports/import-connections.tool.ts'
import { importContactsPrompt } from '../imports/import-contacts.prompt.ts'
import { importUndoer } from '../imports/undo-import.ts'
import { createInFlight } from '../guards/in-flight.ts'
import { cancelJobTool } from '../jobs/cancel-job.tool.ts'
import { getJobsTool } from '../jobs/get-jobs.tool.ts'
import { toolGuard } from '../tools/allowed-tools.ts'
import { listActivityTool } from '../connections/activity/list-activity.tool.ts'
import { renewDemo } from '../acts/seed-demo.ts'
import { undoTool, undoTurns } from '../tools/undo/undo.tool.ts'
import type { PasswordHasher } from '../access/passwords/password-hash.ts'
import type { Clock } from '../base/clock.ts'
import type { KeyedSemaphore } from '../base/concurrency/keyed-semaphore.ts'
import type { Log } from '../base/log.ts'
import type { Trace } from '../base/monitoring/tracing.ts'
import type { Database } from '../db/database.ts'
import type { RateLimits } from '../guards/rate-limits.ts'
import type { Caller } from '../http/caller.ts'
import type { SmtpSettings } from '../email/smtp.ts'
import type { CalendarAccess } from '../connections/calendars/calendar-deps.ts'
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
import type { OnCalled } from '../tools/run-tool-types.ts'
import { memberEvents } from '../reminders/event-subscriptions.ts'
import { policyOfHosts } from '../deliveries/endpoint-hosts.ts'
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

export function listJobKinds(deps: Pick<RouteDeps, 'embedder' | 'publicUrl' | 'calendars'>): Job[] {
  return [
    fileImportJob,
    ...connectionJobs({ ...deps, photos: deps.calendars }),
    exportDataJob(deps),
  ]
}

/** The undo handlers of all features. */
const UNDOERS: readonly Undoer[] = [...CONNECTION_UNDOERS, importUndoer, ...MEMBER_UNDOERS]

export function listTools(deps: Deps): Tool[] {
  const tools: Tool[] = [
    ...memberTools({ ...deps, tools: () => tools }),
    ...connectionTools(deps),
    importConnectionsTool(deps),
    exportConnectionsTool(deps),
    getJobsTool(deps),
    cancelJobTool(deps),
    listActivityTool,
    undoTool({ undoers: UNDOERS, ...(deps.undoTurns && { turns: deps.undoTurns }) }),
  ]
  return tools
}

/** The resources of all rooms. Their reads call these tools. */
export function listResources(tools: readonly Tool[]): Resource[] {
  return [...memberResources(tools), ...connectionResources(tools), connectionExportResource]
}

const PROMPTS: readonly Prompt[] = [...CONNECTION_PROMPTS, importContactsPrompt]

/** The dependencies of routes only. */
export interface RouteDeps extends Deps {
  readonly uploadQuotaMb: number
  authenticate(authorization: string | undefined): Promise<Caller>
  readonly documents: ClientDocuments
  readonly hasher: PasswordHasher
  readonly limits: RateLimits
  readonly calendars: CalendarAccess
  /** Whether this is the only node. */
  readonly asksLegacyClients: boolean
  readonly node: NodeStatus
  readonly securityContact: string | null
  readonly supportContact?: string | null
  /** Repository of the source code. */
  readonly repository?: { readonly url: string; readonly source: string } | undefined
  readonly privacyPolicy: string | null
  readonly termsOfService: string | null
  readonly mcpRegistryAuth: string | null
  readonly openaiAppsChallenge: string | null
  /** The operator's overrides, by policy name. */
  readonly rateLimits: Config['rateLimits']
  readonly davBurst: Config['davBurst']
  readonly refreshGraceSeconds: number
  readonly signUp: SignUp
  readonly demo: Config['demo']
  readonly oidc: OidcSettings | null
  readonly webhookHosts: readonly string[]
  readonly smtp: SmtpSettings | null
  readonly attempts: AttemptRecorder
  readonly onCalled?: OnCalled | undefined
  readonly trace?: Trace | undefined
}

/** What the routes of calls and pages share. One per process. */
export type Records = ReturnType<typeof createRecords>

/** Joins the records of all rooms. */
export function createRecords(deps: RouteDeps) {
  const undos = undoTurns()
  const tools = listTools({ ...deps, undoTurns: undos })
  const searchAnonymously = searchDirectoryTool({ ...deps, reader: deps.database.anonymous })
  return {
    ...deps,
    undoTurns: undos,
    tools,
    /** In the sandbox, directory searches use the reader for anonymous callers. */
    sandboxTools: tools.map((tool) =>
      tool.name === searchAnonymously.name ? searchAnonymously : tool,
    ),
    requireTool: toolGuard(tools),
    resources: listResources(tools),
    prompts: PROMPTS,
    skills: connectionSkills(),
    apps: CONNECTION_APPS,
    jobs: listJobKinds(deps),
    undoers: UNDOERS,
    renewDemo: () => renewDemo(deps.database, deps.clock.now()),
    inFlight: createInFlight(),
    charges: new ChargeQueue(),
    explain: explainPeople,
    sendsEmail: deps.smtp !== null,
    events: memberEvents({
      ...deps,
      ...deps.calendars,
      policyOf: policyOfHosts(deps.webhookHosts, deps.calendars.fetchPolicy),
    }),
  }
}
