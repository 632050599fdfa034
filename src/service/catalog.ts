/** Everything Weft answers and does, in one list: every tool, kind of job and route. */

import { createPasswordHasher } from '../access/password-hash.ts'
import { addConnectionTool } from '../connections/add-connection.tool.ts'
import { addNoteTool } from '../connections/add-note.tool.ts'
import { completeFollowUpTool } from '../connections/complete-follow-up.tool.ts'
import { connectionResource } from '../connections/connection.resource.ts'
import { deleteConnectionsTool } from '../connections/delete-connections.tool.ts'
import { embedConnectionsTool } from '../connections/embed-connections.tool.ts'
import { embedObjectsJob } from '../connections/embed-objects.job.ts'
import { fileImportJob } from '../connections/file-import.job.ts'
import { findDuplicatesTool } from '../connections/find-duplicates.tool.ts'
import { findIntroductionsTool } from '../connections/find-introductions.tool.ts'
import { followUpUndoer } from '../connections/follow-up-changes.ts'
import { getConnectionTool } from '../connections/get-connection.tool.ts'
import { getNetworkSummaryTool } from '../connections/get-network-summary.tool.ts'
import { importConnectionsTool } from '../connections/import-connections.tool.ts'
import { listConnectionsTool } from '../connections/list-connections.tool.ts'
import { listFollowUpsTool } from '../connections/list-follow-ups.tool.ts'
import { listNotesTool } from '../connections/list-notes.tool.ts'
import { listTagsTool } from '../connections/list-tags.tool.ts'
import { mergeConnectionsTool } from '../connections/merge-connections.tool.ts'
import { noteUndoer } from '../connections/notes.ts'
import { prepareForMeetingPrompt } from '../connections/prepare-for-meeting.prompt.ts'
import { purgeDeletedJob } from '../connections/purge-deleted.job.ts'
import { restoreConnectionsTool } from '../connections/restore-connections.tool.ts'
import { searchConnectionsTool } from '../connections/search-connections.tool.ts'
import { setFollowUpTool } from '../connections/set-follow-up.tool.ts'
import { tagConnectionsTool } from '../connections/tag-connections.tool.ts'
import { tagUndoer } from '../connections/tag-changes.ts'
import { connectionsUndoer, connectionUndoer } from '../connections/undo-connections.ts'
import { importUndoer } from '../connections/undo-import.ts'
import { updateConnectionTool } from '../connections/update-connection.tool.ts'
import { askRoutes } from '../ask/ask.routes.ts'
import { batchRoute } from '../batch/batch.route.ts'
import { weeklyFollowUpsPrompt } from '../connections/weekly-follow-ups.prompt.ts'
import { whoCanIntroduceMePrompt } from '../connections/who-can-introduce-me.prompt.ts'
import { docsAnswers } from '../discovery/docs-answers.ts'
import { createLibrary } from '../discovery/library.ts'
import { exportDataJob } from '../exports/export-data.job.ts'
import { exportRoute } from '../exports/export.route.ts'
import { discoveryRoutes } from '../discovery/routes.ts'
import { createInFlight } from '../guards/in-flight.ts'
import { assetRoutes } from '../html/assets.routes.ts'
import { getJobTool } from '../jobs/get-job.tool.ts'
import { listJobsTool } from '../jobs/list-jobs.tool.ts'
import { jobRoutes } from '../jobs/routes.ts'
import { mcpRoutes } from '../mcp/routes.ts'
import { directoryRoutes } from '../members/directory.routes.ts'
import { getProfileTool } from '../members/get-profile.tool.ts'
import { meResource } from '../members/me.resource.ts'
import { profileUndoer } from '../members/profile-changes.ts'
import { profileRoutes } from '../members/profile.routes.ts'
import { searchDirectoryTool } from '../members/search-directory.tool.ts'
import { updateProfileTool } from '../members/update-profile.tool.ts'
import { whoamiTool } from '../members/whoami.tool.ts'
import { oauthRoutes } from '../oauth/routes.ts'
import { humanRoutes } from '../pages/human/routes.ts'
import { activityRoutes } from '../pages/activity/routes.ts'
import { adminRoutes } from '../pages/admin/routes.ts'
import { connectionRoutes } from '../pages/connections/routes.ts'
import { creditRoutes } from '../pages/credits/routes.ts'
import { followUpRoutes } from '../pages/follow-ups/routes.ts'
import { accountRoutes } from '../pages/account/routes.ts'
import { importRoutes } from '../pages/import/routes.ts'
import { integrationRoutes } from '../pages/integrations/routes.ts'
import { jobPageRoutes } from '../pages/jobs/routes.ts'
import { networkRoutes } from '../pages/network/routes.ts'
import { profileEditorRoutes } from '../pages/profile/routes.ts'
import { sandboxRoutes } from '../sandbox/sandbox.routes.ts'
import { signInRoutes } from '../sign-in/routes.ts'
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
import type { Meaning } from '../meaning/meaning.ts'
import type { ClientDocuments } from '../oauth/client-document.ts'
import type { ThisNode } from '../pages/admin/parts.ts'
import type { SignUp } from '../sign-in/admission.ts'
import type { OidcSettings } from '../sign-in/oidc/provider.ts'
import type { Config } from './config.ts'
import type { Prompt } from '../tools/prompt.ts'
import type { Resource } from '../tools/resource.ts'
import type { Tool } from '../tools/tool.ts'
import type { Undoer } from '../tools/undo.ts'

/** What the records need to be made: the same few things for all of them. */
export interface Parts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly publicUrl: string
  readonly quota: number
  readonly version: string
  /** One a process: what its jobs embed, its searches see at once. */
  readonly meaning: Meaning
  /** Tells the worker of this process that there is a job. */
  readonly wake: (jobId?: number) => void
}

export function listJobKinds(parts: Pick<Parts, 'meaning' | 'publicUrl'>): Job[] {
  return [fileImportJob, embedObjectsJob(parts.meaning), purgeDeletedJob, exportDataJob(parts)]
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

export function listTools(parts: Parts): Tool[] {
  const tools: Tool[] = [
    whoamiTool,
    getCreditsTool({ quota: parts.quota, tools: () => tools }),
    getProfileTool(parts),
    searchDirectoryTool({ ...parts, reader: parts.database.heavy }),
    updateProfileTool(parts),
    searchConnectionsTool(parts),
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
    importConnectionsTool(parts),
    embedConnectionsTool(parts),
    getJobTool(parts),
    listJobsTool(parts),
    listActivityTool,
    undoTool({ undoers: UNDOERS }),
  ]
  return tools
}

/** Anonymous callers of the sandbox search the directory where all anonymous callers do. */
function forAnonymous({ database, publicUrl }: Parts): (tool: Tool) => Tool {
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
export interface RouteParts extends Parts {
  readonly uploadQuotaMb: number
  authenticate(authorization: string | undefined): Promise<Caller>
  readonly documents: ClientDocuments
  readonly limits: RateLimits
  readonly node: ThisNode
  readonly securityContact: string | null
  /** Quotas that the operator set, by the name of their policy. */
  readonly rateLimits: Config['rateLimits']
  readonly refreshGraceSeconds: number
  readonly signUp: SignUp
  readonly oidc: OidcSettings | null
}

export function listRoutes(parts: RouteParts): Route[] {
  const all: Route[] = []
  const shared = {
    ...parts,
    tools: listTools(parts),
    resources: RESOURCES,
    prompts: PROMPTS,
    jobs: listJobKinds(parts),
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
  all.push(...sandboxRoutes({ ...shared, tools: shared.tools.map(forAnonymous(parts)) }))
  return all
}
