/** Everything Weft answers and does, in one list: every tool, kind of job and route. */

import { createPasswordHasher } from '../access/password-hash.ts'
import { addConnectionTool } from '../connections/editing/add-connection.tool.ts'
import { addNoteTool } from '../connections/notes/add-note.tool.ts'
import { completeFollowUpTool } from '../connections/follow-ups/complete-follow-up.tool.ts'
import { connectionResource } from '../connections/overview/connection.resource.ts'
import { deleteConnectionsTool } from '../connections/deletion/delete-connections.tool.ts'
import { embedConnectionsTool } from '../connections/search/embed-connections.tool.ts'
import { embedObjectsJob } from '../connections/search/embed-objects.job.ts'
import { fileImportJob } from '../connections/import/file-import.job.ts'
import { findDuplicatesTool } from '../connections/duplicates/find-duplicates.tool.ts'
import { findIntroductionsTool } from '../connections/introductions/find-introductions.tool.ts'
import { followUpUndoer } from '../connections/follow-ups/follow-up-changes.ts'
import { getConnectionTool } from '../connections/overview/get-connection.tool.ts'
import { getNetworkSummaryTool } from '../connections/overview/get-network-summary.tool.ts'
import { importConnectionsTool } from '../connections/import/import-connections.tool.ts'
import { listConnectionsTool } from '../connections/search/list-connections.tool.ts'
import { listFollowUpsTool } from '../connections/follow-ups/list-follow-ups.tool.ts'
import { listNotesTool } from '../connections/notes/list-notes.tool.ts'
import { listTagsTool } from '../connections/tags/list-tags.tool.ts'
import { mergeConnectionsTool } from '../connections/duplicates/merge-connections.tool.ts'
import { noteUndoer } from '../connections/notes/notes.ts'
import { prepareForMeetingPrompt } from '../connections/overview/prepare-for-meeting.prompt.ts'
import { purgeDeletedJob } from '../connections/deletion/purge-deleted.job.ts'
import { restoreConnectionsTool } from '../connections/deletion/restore-connections.tool.ts'
import { searchConnectionsTool } from '../connections/search/search-connections.tool.ts'
import { setFollowUpTool } from '../connections/follow-ups/set-follow-up.tool.ts'
import { tagConnectionsTool } from '../connections/tags/tag-connections.tool.ts'
import { tagUndoer } from '../connections/tags/tag-changes.ts'
import { connectionsUndoer, connectionUndoer } from '../connections/model/undo-connections.ts'
import { importUndoer } from '../connections/import/undo-import.ts'
import { updateConnectionTool } from '../connections/editing/update-connection.tool.ts'
import { askRoutes } from '../ask/ask.route.ts'
import { batchRoute } from '../batch/batch.route.ts'
import { weeklyFollowUpsPrompt } from '../connections/follow-ups/weekly-follow-ups.prompt.ts'
import { whoCanIntroduceMePrompt } from '../connections/introductions/who-can-introduce-me.prompt.ts'
import { docsAnswers } from '../discovery/docs/docs-answers.ts'
import { createLibrary } from '../discovery/docs/library.ts'
import { exportDataJob } from '../exports/export-data.job.ts'
import { exportRoute } from '../exports/export.route.ts'
import { discoveryRoutes } from '../discovery/catalog.ts'
import { createInFlight } from '../guards/in-flight.ts'
import { assetRoutes } from '../html/assets.route.ts'
import { getJobTool } from '../jobs/get-job.tool.ts'
import { listJobsTool } from '../jobs/list-jobs.tool.ts'
import { jobRoutes } from '../jobs/jobs.route.ts'
import { mcpRoutes } from '../mcp/server/mcp.route.ts'
import { directoryRoutes } from '../members/directory.route.ts'
import { getProfileTool } from '../members/get-profile.tool.ts'
import { meResource } from '../members/me.resource.ts'
import { profileUndoer } from '../members/profile-changes.ts'
import { profileRoutes } from '../members/profile.route.ts'
import { searchDirectoryTool } from '../members/search-directory.tool.ts'
import { updateProfileTool } from '../members/update-profile.tool.ts'
import { whoamiTool } from '../members/whoami.tool.ts'
import { oauthRoutes } from '../oauth/catalog.ts'
import { humanRoutes } from '../pages/public-profile/public-profile.route.ts'
import { activityRoutes } from '../pages/activity/activity.route.ts'
import { adminRoutes } from '../pages/admin/catalog.ts'
import { connectionRoutes } from '../pages/connections/catalog.ts'
import { creditRoutes } from '../pages/credits/credits.route.ts'
import { followUpRoutes } from '../pages/follow-ups/follow-ups.route.ts'
import { accountRoutes } from '../pages/account/catalog.ts'
import { importRoutes } from '../pages/import/import.route.ts'
import { integrationRoutes } from '../pages/agents/agents.route.ts'
import { jobPageRoutes } from '../pages/jobs/jobs.route.ts'
import { networkRoutes } from '../pages/directory/directory.route.ts'
import { profileEditorRoutes } from '../pages/profile/profile.route.ts'
import { sandboxRoutes } from '../sandbox/catalog.ts'
import { signInRoutes } from '../sign-in/catalog.ts'
import { getCreditsTool } from '../tools/get-credits.tool.ts'
import { listActivityTool } from '../tools/list-activity.tool.ts'
import { undoTool } from '../tools/undo.tool.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import type { RateLimits } from '../guards/rate-limits.ts'
import type { Caller } from '../http/caller.ts'
import type { Route } from '../http/route.ts'
import type { Job } from '../jobs/job.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import type { ClientDocuments } from '../oauth/client-document.ts'
import type { NodeStatus } from '../pages/admin/admin-deps.ts'
import type { SignUp } from '../sign-in/session/admission.ts'
import type { OidcSettings } from '../sign-in/provider/provider.ts'
import type { Config } from './config.ts'
import type { Prompt } from '../tools/prompt.ts'
import type { Resource } from '../tools/resource.ts'
import type { Tool } from '../tools/tool.ts'
import type { Undoer } from '../tools/undo.ts'

/** What the records need to be made: the same few things for all of them. */
export interface Deps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly publicUrl: string
  readonly quota: number
  readonly version: string
  /** One a process: what its jobs embed, its searches see at once. */
  readonly embedder: Embedder
  /** Tells the worker of this process that there is a job. */
  readonly wake: (jobId?: number) => void
}

export function listJobKinds(deps: Pick<Deps, 'embedder' | 'publicUrl'>): Job[] {
  return [fileImportJob, embedObjectsJob(deps.embedder), purgeDeletedJob, exportDataJob(deps)]
}

/** How each kind of change is taken back. */
const UNDOERS: readonly Undoer[] = [
  connectionUndoer,
  connectionsUndoer,
  importUndoer,
  tagUndoer,
  noteUndoer,
  followUpUndoer,
  profileUndoer,
]

export function listTools(deps: Deps): Tool[] {
  const tools: Tool[] = [
    whoamiTool,
    getCreditsTool({ quota: deps.quota, tools: () => tools }),
    getProfileTool(deps),
    searchDirectoryTool({ ...deps, reader: deps.database.heavy }),
    updateProfileTool(deps),
    searchConnectionsTool(deps),
    listConnectionsTool,
    getConnectionTool,
    getNetworkSummaryTool,
    findIntroductionsTool,
    findDuplicatesTool,
    listNotesTool,
    listFollowUpsTool,
    listTagsTool,
    addConnectionTool,
    updateConnectionTool,
    tagConnectionsTool,
    addNoteTool,
    setFollowUpTool,
    completeFollowUpTool,
    mergeConnectionsTool,
    deleteConnectionsTool,
    restoreConnectionsTool,
    importConnectionsTool(deps),
    embedConnectionsTool(deps),
    getJobTool(deps),
    listJobsTool(deps),
    listActivityTool,
    undoTool({ undoers: UNDOERS }),
  ]
  return tools
}

/** Anonymous callers of the sandbox search the directory where all anonymous callers do. */
function forAnonymous({ database, publicUrl }: Deps): (tool: Tool) => Tool {
  const searchDirectory = searchDirectoryTool({ database, publicUrl, reader: database.anonymous })
  return (tool) => (tool.name === searchDirectory.name ? searchDirectory : tool)
}

export const RESOURCES: readonly Resource[] = [meResource, connectionResource]

export const PROMPTS: readonly Prompt[] = [
  prepareForMeetingPrompt,
  weeklyFollowUpsPrompt,
  whoCanIntroduceMePrompt,
]

/** What only routes need. */
export interface RouteDeps extends Deps {
  readonly uploadQuotaMb: number
  authenticate(authorization: string | undefined): Promise<Caller>
  readonly documents: ClientDocuments
  readonly limits: RateLimits
  readonly node: NodeStatus
  readonly securityContact: string | null
  /** Quotas that the operator set, by the name of their policy. */
  readonly rateLimits: Config['rateLimits']
  readonly refreshGraceSeconds: number
  readonly signUp: SignUp
  readonly oidc: OidcSettings | null
}

export function listRoutes(deps: RouteDeps): Route[] {
  const all: Route[] = []
  const shared = {
    ...deps,
    tools: listTools(deps),
    resources: RESOURCES,
    prompts: PROMPTS,
    jobs: listJobKinds(deps),
    undoers: UNDOERS,
    inFlight: createInFlight(),
    hasher: createPasswordHasher(),
    routes: () => all,
  }
  const library = createLibrary(shared)
  all.push(
    ...profileRoutes(shared),
    ...directoryRoutes(shared),
    ...jobRoutes(shared),
    exportRoute(shared),
    ...mcpRoutes(shared),
    ...oauthRoutes(shared),
    ...signInRoutes(shared),
    ...humanRoutes(shared),
    ...networkRoutes(shared),
    ...integrationRoutes(shared),
    ...profileEditorRoutes(shared),
    ...accountRoutes(shared),
    ...connectionRoutes(shared),
    ...followUpRoutes(shared),
    ...importRoutes(shared),
    ...jobPageRoutes(shared),
    ...creditRoutes(shared),
    ...activityRoutes(shared),
    ...adminRoutes(shared),
    ...assetRoutes(),
    ...discoveryRoutes({ ...shared, library }),
    ...askRoutes({ ...shared, sources: [docsAnswers(library)] }),
    batchRoute(shared),
  )
  // Made of what is there without a credential, so it comes last.
  all.push(...sandboxRoutes({ ...shared, tools: shared.tools.map(forAnonymous(deps)) }))
  return all
}
