/** Custom fields in tool results. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import type { CustomField } from './custom-fields.ts'

export const CustomFieldJson = Type.Closed({
  name: Type.String(),
  kind: Type.String(),
  choices: Type.Optional(Type.Array(Type.String())),
})

export function customFieldJson({
  name,
  kind,
  choices,
}: Pick<CustomField, 'name' | 'kind' | 'choices'>): Static<typeof CustomFieldJson> {
  return { name, kind, ...(choices.length > 0 && { choices: [...choices] }) }
}
