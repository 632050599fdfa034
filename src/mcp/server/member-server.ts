/** Everything that a member's agent finds at the tool endpoint: tools, resources, prompts, completions and tasks. */

import { jobTasks } from './job-tasks.ts'
import { recordCompletions, recordPrompts } from './prompt-server.ts'
import { recordResources, type StaticDocument } from './resource-server.ts'
import { resourceSubscriptions, type SubscriptionDeps } from './resource-subscriptions.ts'
import { createToolServer, type ToolServerDeps } from './tool-server.ts'
import { type ToolCaller } from './tool-caller.ts'
import type { App } from '../../tools/app.ts'
import type { Prompt } from '../../tools/prompt.ts'
import type { Skill } from '../../tools/skill.ts'
import type { Resource } from '../../tools/resource.ts'
import type { EventProvider } from '../protocol/event-messages.ts'
import type { McpServer } from '../protocol/server.ts'
import type { SkillEntry } from '../protocol/skill-messages.ts'

export interface MemberServerDeps extends ToolServerDeps, SubscriptionDeps {
  readonly resources: readonly Resource[]
  readonly prompts: readonly Prompt[]
  readonly skills: readonly Skill[]
  readonly apps: readonly App[]
  /**
   * Asks clients before 2026-07-28 for confirmation. Their responses must reach this process, so only for a service with
   * one node.
   */
  readonly asksLegacyClients?: boolean
  /** Events that agents subscribe to. */
  readonly events?: EventProvider<ToolCaller>
  /** Tells the worker of this process that a job is to stop. */
  readonly wake: () => void
}

export function createMemberServer(deps: MemberServerDeps): McpServer<ToolCaller> {
  return {
    ...createToolServer(deps),
    extensions: { [APPS_EXTENSION]: {} },
    resources: recordResources(deps, deps.resources, [
      ...deps.skills.map(skillDocument),
      ...deps.apps.map(appDocument),
    ]),
    prompts: recordPrompts(deps.prompts),
    skills: deps.skills.map(skillEntry),
    complete: recordCompletions(deps),
    tasks: jobTasks(deps),
    subscriptions: resourceSubscriptions(deps, deps.resources),
    ...(deps.events && { events: deps.events }),
  }
}

function skillEntry({ uri, frontmatter, digest, size }: Skill): SkillEntry {
  return { uri, frontmatter: { ...frontmatter }, resources: [{ uri, digest, size }] }
}

function skillDocument({ uri, frontmatter: { name, description }, text }: Skill): StaticDocument {
  return { uri, name, title: name, description, mimeType: 'text/markdown', text }
}

/** MCP Apps 2026-01-26. */
const APPS_EXTENSION = 'io.modelcontextprotocol/ui'
const APP_TYPE = 'text/html;profile=mcp-app'

/** Without `csp`, the host allows no other origin. Hosts find it by its tool, so it need not be listed. */
function appDocument({ uri, name, title, description, html }: App): StaticDocument {
  const meta = { ui: { prefersBorder: true } }
  return { uri, name, title, description, mimeType: APP_TYPE, text: html(), meta, isUnlisted: true }
}
