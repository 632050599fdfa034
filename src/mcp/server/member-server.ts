/** Everything that a member's agent finds at the tool endpoint: tools, resources, prompts, completions and tasks. */

import { jobTasks } from './job-tasks.ts'
import { recordCompletions, recordPrompts } from './prompt-server.ts'
import { recordResources } from './resource-server.ts'
import { createToolServer, type ToolServerDeps } from './tool-server.ts'
import { type ToolCaller } from './tool-caller.ts'
import type { Prompt } from '../../tools/prompt.ts'
import type { Resource } from '../../tools/resource.ts'
import type { McpServer } from '../protocol/server.ts'

export interface MemberServerDeps extends ToolServerDeps {
  readonly resources: readonly Resource[]
  readonly prompts: readonly Prompt[]
  /** Tells the worker of this process that a job is to stop. */
  readonly wake: () => void
}

export function createMemberServer(deps: MemberServerDeps): McpServer<ToolCaller> {
  return {
    ...createToolServer(deps),
    resources: recordResources(deps, deps.resources),
    prompts: recordPrompts(deps.prompts),
    complete: recordCompletions(deps),
    tasks: jobTasks(deps),
  }
}
