/** Everything that a member's agent finds at the tool endpoint: tools, resources, prompts, completions and tasks. */

import { jobTasks } from './job-tasks.ts'
import { recordCompletions, recordPrompts } from './prompt-server.ts'
import { recordResources } from './resource-server.ts'
import { createToolServer, type ToolCaller, type ToolServerParts } from './tool-server.ts'
import type { Prompt } from '../../tools/prompt.ts'
import type { Resource } from '../../tools/resource.ts'
import type { McpServer } from '../protocol/server.ts'

export interface MemberServerParts extends ToolServerParts {
  readonly resources: readonly Resource[]
  readonly prompts: readonly Prompt[]
  /** Tells the worker of this process that a job is to stop. */
  readonly wake: () => void
}

export function createMemberServer(parts: MemberServerParts): McpServer<ToolCaller> {
  return {
    ...createToolServer(parts),
    resources: recordResources(parts, parts.resources),
    prompts: recordPrompts(parts.prompts),
    complete: recordCompletions(parts),
    tasks: jobTasks(parts),
  }
}
