/** A skill is a folder with a `SKILL.md`: instructions that an agent loads when a task needs them (agentskills.io). */

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface Skill {
  /** `skill://<name>/SKILL.md` (extension io.modelcontextprotocol/skills, Resource Mapping). */
  readonly uri: string
  readonly frontmatter: { readonly name: string; readonly description: string }
  readonly text: string
  /** `sha256:` and the hex digest of the file's bytes. */
  readonly digest: string
  /** Bytes. */
  readonly size: number
}

/** Reads `SKILL.md` in the folder, whose name must be that of the skill. Its frontmatter has plain one-line values only. */
export function readSkill(folder: URL): Skill {
  const bytes = readFileSync(new URL('SKILL.md', folder))
  const text = bytes.toString()
  const name = fieldOf(text, 'name')
  if (!folder.pathname.endsWith(`/${name}/`))
    throw new Error(`${name} is not the name of ${folder.pathname}`)
  return {
    uri: `skill://${name}/SKILL.md`,
    frontmatter: { name, description: fieldOf(text, 'description') },
    text,
    digest: `sha256:${hash('sha256', bytes, 'hex')}`,
    size: bytes.byteLength,
  }
}

function fieldOf(text: string, name: string): string {
  const [, frontmatter = ''] = /^---\n(.*?)\n---\n/s.exec(text) ?? []
  // regex-ok: our own skill
  const value = new RegExp(`^${name}: (.+)$`, 'm').exec(frontmatter)?.[1]
  if (value === undefined) throw new Error(`the frontmatter has no ${name}`)
  return value
}
