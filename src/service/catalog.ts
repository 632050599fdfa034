/** Everything Weft answers and does, in one list: every tool, kind of job and route. */

import { addConnectionTool } from '../connections/add-connection.tool.ts'
import { addNoteTool } from '../connections/add-note.tool.ts'
import { completeFollowUpTool } from '../connections/complete-follow-up.tool.ts'
import { fileImportJob } from '../connections/file-import.job.ts'
import { getConnectionTool } from '../connections/get-connection.tool.ts'
import { getNetworkSummaryTool } from '../connections/get-network-summary.tool.ts'
import { importConnectionsTool } from '../connections/import-connections.tool.ts'
import { listConnectionsTool } from '../connections/list-connections.tool.ts'
import { listFollowUpsTool } from '../connections/list-follow-ups.tool.ts'
import { listNotesTool } from '../connections/list-notes.tool.ts'
import { listTagsTool } from '../connections/list-tags.tool.ts'
import { searchConnectionsTool } from '../connections/search-connections.tool.ts'
import { setFollowUpTool } from '../connections/set-follow-up.tool.ts'
import { tagConnectionsTool } from '../connections/tag-connections.tool.ts'
import { updateConnectionTool } from '../connections/update-connection.tool.ts'
import { discoveryRoutes } from '../discovery/routes.ts'
import { createInFlight } from '../guards/in-flight.ts'
import { assetRoutes } from '../html/assets.routes.ts'
import { getJobTool } from '../jobs/get-job.tool.ts'
import { listJobsTool } from '../jobs/list-jobs.tool.ts'
import { jobRoutes } from '../jobs/routes.ts'
import { mcpRoutes } from '../mcp/routes.ts'
import { directoryRoutes } from '../members/directory.routes.ts'
import { getProfileTool } from '../members/get-profile.tool.ts'
import { profileRoutes } from '../members/profile.routes.ts'
import { searchDirectoryTool } from '../members/search-directory.tool.ts'
import { whoamiTool } from '../members/whoami.tool.ts'
import { oauthRoutes } from '../oauth/routes.ts'
import { getCreditsTool } from '../tools/get-credits.tool.ts'
import { listActivityTool } from '../tools/list-activity.tool.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import type { Caller } from '../http/caller.ts'
import type { Route } from '../http/route.ts'
import type { Job } from '../jobs/job.ts'
import type { ClientDocuments } from '../oauth/client-document.ts'
import type { Tool } from '../tools/tool.ts'

/** What the records need to be made: the same few things for all of them. */
export interface Parts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly publicUrl: string
  readonly quota: number
  readonly version: string
  /** Tells the worker of this process that there is a job. */
  readonly wake: (jobId?: number) => void
}

export const JOBS: readonly Job[] = [fileImportJob]

export function listTools(parts: Parts): Tool[] {
  const tools: Tool[] = [
    whoamiTool,
    getCreditsTool({ quota: parts.quota, tools: () => tools }),
    getProfileTool(parts),
    searchDirectoryTool(parts),
    searchConnectionsTool,
    listConnectionsTool,
    getConnectionTool,
    getNetworkSummaryTool,
    listNotesTool,
    listFollowUpsTool,
    listTagsTool,
    addConnectionTool,
    updateConnectionTool,
    tagConnectionsTool,
    addNoteTool,
    setFollowUpTool,
    completeFollowUpTool,
    importConnectionsTool(parts),
    getJobTool(parts),
    listJobsTool(parts),
    listActivityTool,
  ]
  return tools
}

/** What only routes need. */
export interface RouteParts extends Parts {
  authenticate(authorization: string | undefined): Promise<Caller>
  readonly documents: ClientDocuments
  readonly refreshGraceSeconds: number
}

export function listRoutes(parts: RouteParts): Route[] {
  const all: Route[] = []
  const shared = {
    ...parts,
    tools: listTools(parts),
    jobs: JOBS,
    inFlight: createInFlight(),
    routes: () => all,
  }
  all.push(
    ...profileRoutes(shared),
    ...directoryRoutes(shared),
    ...jobRoutes(shared),
    ...mcpRoutes(shared),
    ...oauthRoutes(shared),
    ...assetRoutes(),
    ...discoveryRoutes({ ...shared, securityContact: null }),
  )
  return all
}
