/** Agent Skills discovery 0.2.0: an index with one skill. */

import { hash } from 'node:crypto'

export const SKILL_PATH = '/.well-known/agent-skills/weft-network/SKILL.md'

/** `skill` is the whole SKILL.md as it is served: its digest is of these very bytes. */
export function skillIndex(skill: string, publicUrl: string): object {
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      {
        name: headerField(skill, 'name'),
        type: 'skill-md',
        description: headerField(skill, 'description'),
        url: publicUrl + SKILL_PATH,
        digest: `sha256:${hash('sha256', skill, 'hex')}`,
      },
    ],
  }
}

function headerField(skill: string, name: string): string | undefined {
  // regex-ok: our own skill
  return new RegExp(`^${name}: (.+)$`, 'm').exec(skill)?.[1]
}
