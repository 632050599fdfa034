/** The tools, jobs, resources, prompts and undo handlers that connections add to the service. */

import { briefingResource } from './briefing/briefing.resource.ts'
import { dailyBriefingPrompt } from './briefing/daily-briefing.prompt.ts'
import { getBriefingTool } from './briefing/get-briefing.tool.ts'
import { cadenceUndoer, tagRuleUndoer } from './cadence/cadence-changes.ts'
import { listWhoToContactTool } from './cadence/list-who-to-contact.tool.ts'
import { keepInTouchTool } from './cadence/keep-in-touch.tool.ts'
import { deviceUndoer } from './cards/undo-device.ts'
import { customFieldUndoer } from './custom-fields/custom-fields.ts'
import { fieldOrderUndoer } from './custom-fields/field-order.ts'
import { setCustomFieldTool } from './custom-fields/set-custom-field.tool.ts'
import { deleteConnectionsTool } from './deletion/delete-connections.tool.ts'
import { purgeDeletedJob } from './deletion/purge-deleted.job.ts'
import { restoreConnectionsTool } from './deletion/restore-connections.tool.ts'
import { findDuplicatesTool } from './duplicates/find-duplicates.tool.ts'
import { notDuplicatesUndoer } from './duplicates/not-duplicates.ts'
import { splitUndoer } from './duplicates/split-changes.ts'
import { resolveDuplicatesTool } from './duplicates/resolve-duplicates.tool.ts'
import { deleteFollowUpTool } from './follow-ups/delete-follow-up.tool.ts'
import { followUpUndoer } from './follow-ups/follow-ups.ts'
import { listFollowUpsTool } from './follow-ups/list-follow-ups.tool.ts'
import { saveFollowUpTool } from './follow-ups/save-follow-up.tool.ts'
import { weeklyFollowUpsPrompt } from './follow-ups/weekly-follow-ups.prompt.ts'
import { followUpsResource } from './follow-ups/follow-ups.resource.ts'
import { reconnectPrompt } from './overview/reconnect.prompt.ts'
import { tagResource } from './people/tag.resource.ts'
import { deleteInteractionTool } from './interactions/delete-interaction.tool.ts'
import { interactionUndoer } from './interactions/interaction-store.ts'
import { listTimelineTool } from './interactions/list-timeline.tool.ts'
import { logInteractionTool } from './interactions/log-interaction.tool.ts'
import { addConnectionsTool } from './people/add-connections.tool.ts'
import { getConnectionsTool } from './people/get-connections.tool.ts'
import { updateConnectionsTool } from './people/update-connections.tool.ts'
import { findIntroductionsTool } from './introductions/find-introductions.tool.ts'
import { whoCanIntroduceMePrompt } from './introductions/who-can-introduce-me.prompt.ts'
import { peopleUndoer } from './undo/undo-connections.ts'
import { deleteNoteTool } from './notes/delete-note.tool.ts'
import { saveNoteTool } from './notes/save-note.tool.ts'
import { noteUndoer } from './told-contacts/log-told-contacts.ts'
import { findPhotosJob, type PhotoSearch } from './photos/find-photos.job.ts'
import { connectionResource } from './people/connection.resource.ts'
import { fetchTool } from './overview/fetch.tool.ts'
import { searchTool } from './overview/search.tool.ts'
import { getNetworkSummaryTool } from './overview/get-network-summary.tool.ts'
import { prepareForMeetingPrompt } from './overview/prepare-for-meeting.prompt.ts'
import { embedObjectsJob } from './search/meaning/embed-objects.job.ts'
import { searchConnectionsTool, type SearchToolDeps } from './search/search-connections.tool.ts'
import { listTagsTool } from './tags/list-tags.tool.ts'
import { viewUndoer } from './people/saved-views.ts'
import { tagUndoer } from './tags/tag-changes.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import type { Job } from '../jobs/job.ts'
import type { Prompt } from '../tools/prompt.ts'
import type { Resource } from '../tools/resource.ts'
import type { Tool } from '../tools/tool.ts'
import type { Undoer } from '../tools/undo.ts'

/** The tools in the order of `tools/list`. */
export function connectionTools(deps: SearchToolDeps & { readonly publicUrl: string }): Tool[] {
  return [
    searchConnectionsTool(deps),
    getConnectionsTool,
    getBriefingTool,
    getNetworkSummaryTool,
    findIntroductionsTool,
    findDuplicatesTool,
    listTimelineTool,
    listFollowUpsTool,
    listWhoToContactTool,
    listTagsTool,
    addConnectionsTool,
    updateConnectionsTool,
    saveNoteTool,
    deleteNoteTool,
    logInteractionTool,
    deleteInteractionTool,
    keepInTouchTool,
    saveFollowUpTool,
    deleteFollowUpTool,
    resolveDuplicatesTool,
    setCustomFieldTool,
    deleteConnectionsTool,
    restoreConnectionsTool,
    searchTool(deps),
    fetchTool(deps),
  ]
}

/** The kinds of jobs that workers can run. */
export function connectionJobs({ embedder, photos }: JobDeps): Job[] {
  return [embedObjectsJob(embedder), purgeDeletedJob, findPhotosJob(photos)]
}

interface JobDeps {
  readonly embedder: Embedder
  readonly photos: PhotoSearch
}

/** `tools`: search_connections among them, with which a tag is read. */
export function connectionResources(tools: readonly Tool[]): Resource[] {
  const search = tools.filter(({ name }) => name === 'search_connections')
  return [connectionResource, followUpsResource, ...search.map(tagResource), briefingResource]
}

export const CONNECTION_PROMPTS: readonly Prompt[] = [
  prepareForMeetingPrompt,
  weeklyFollowUpsPrompt,
  whoCanIntroduceMePrompt,
  reconnectPrompt,
  dailyBriefingPrompt,
]

export const CONNECTION_UNDOERS: readonly Undoer[] = [
  peopleUndoer,
  tagUndoer,
  noteUndoer,
  followUpUndoer,
  interactionUndoer,
  cadenceUndoer,
  tagRuleUndoer,
  notDuplicatesUndoer,
  splitUndoer,
  deviceUndoer,
  customFieldUndoer,
  fieldOrderUndoer,
  viewUndoer,
]
