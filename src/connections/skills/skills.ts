/** The skills for working with a network. Each is a folder next to this file. */

import { lazy } from '../../base/lazy.ts'
import { readSkill } from '../../tools/skill.ts'

const NAMES = ['meeting-preparation', 'reconnect', 'import-and-clean-up', 'weekly-review']

export const connectionSkills = lazy(() =>
  NAMES.map((name) => readSkill(new URL(`./${name}/`, import.meta.url))),
)
