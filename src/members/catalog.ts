/** The tools and resources of members, profiles and the directory. */

import { meResource } from './me.resource.ts'
import { profileUndoer } from './profile-changes.ts'
import { searchDirectoryTool } from './search-directory.tool.ts'
import { updateProfileTool } from './update-profile.tool.ts'
import { whoamiTool, type WhoamiDeps } from './whoami.tool.ts'
import type { Database } from '../db/database.ts'
import type { Resource } from '../tools/resource.ts'
import type { Tool } from '../tools/tool.ts'
import type { Undoer } from '../tools/undo.ts'

interface MemberToolDeps extends WhoamiDeps {
  readonly database: Database
  /** `WEFT_PUBLIC_URL`, without a trailing slash. */
  readonly publicUrl: string
}

/** The tools in the order of `tools/list`. */
export function memberTools(deps: MemberToolDeps): Tool[] {
  const searchDirectory = searchDirectoryTool({ ...deps, reader: deps.database.heavy })
  return [whoamiTool(deps), searchDirectory, updateProfileTool(deps)]
}

/** The resource of the member itself, if the tool behind it is offered. */
export function memberResources(tools: readonly Tool[]): Resource[] {
  return tools.filter(({ name }) => name === 'whoami').map(meResource)
}

export const MEMBER_UNDOERS: readonly Undoer[] = [profileUndoer]
