/** The types of skills (extension io.modelcontextprotocol/skills, Skill Entries). */

import type { JsonObject } from './json-rpc.ts'

export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills'

export interface SkillEntry {
  /** URI of its `SKILL.md`, which `resources/read` returns. */
  readonly uri: string
  readonly frontmatter: JsonObject & { readonly name: string; readonly description: string }
  readonly resources: readonly SkillFile[]
}

interface SkillFile {
  readonly uri: string
  readonly digest: string
  /** Bytes. */
  readonly size: number
}
