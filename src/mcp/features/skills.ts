/** `skills/list` and `skills/get` (extension io.modelcontextprotocol/skills). The files are read as resources. */

import { invalidParams } from '../protocol/json-rpc.ts'
import { methodError, resultOf, singlePage, type Feature } from '../protocol/method.ts'
import type { MethodAnswer } from '../protocol/http-message.ts'
import type { Results } from '../protocol/results.ts'
import { SKILLS_EXTENSION, type SkillEntry } from '../protocol/skill-messages.ts'

/** Only in the modern era, on which the extension is based. */
export function skillsFeature<Caller>(
  skills: readonly SkillEntry[],
  results: Results,
): Feature<Caller> {
  const entries = new Map<unknown, MethodAnswer>(
    skills.map((skill) => [skill.uri, resultOf(results.cacheable({ skill }))]),
  )
  return {
    capabilities: { extensions: { [SKILLS_EXTENSION]: {} } },
    methods: {
      'skills/list': singlePage(results.cacheable({ skills })),
      'skills/get': ({ params }) => entries.get(params?.['uri']) ?? UNKNOWN_SKILL,
    },
  }
}

const UNKNOWN_SKILL = methodError(
  invalidParams('"uri" is not the SKILL.md of a skill; skills/list has all of them'),
)
