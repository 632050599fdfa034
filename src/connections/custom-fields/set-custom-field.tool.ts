/** set_custom_field: defines a custom field, renames it, changes its kind or choices, or deletes it. */

import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import * as Type from '../../base/type.ts'
import { RequestError } from '../../base/request-error.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { CUSTOM_FIELD_KINDS } from '../../contact-files/contact/field-definition.ts'
import { MAX_CHOICES, MAX_TEXT_LENGTH } from '../../base/limits.ts'
import { deleteCustomField, setCustomField } from './custom-field-changes.ts'
import { CustomFieldJson, customFieldJson } from './custom-field-json.ts'

const choices = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_TEXT_LENGTH, examples: ['Gold'] }), {
      maxItems: MAX_CHOICES,
      description,
      [PLAIN_KEYWORD]: true,
    }),
  )

const name = (description: string) =>
  Type.String({
    pattern: '\\S',
    maxLength: MAX_TEXT_LENGTH,
    description,
    examples: ['Tier'],
    [PLAIN_KEYWORD]: true,
  })

export const setCustomFieldTool = defineWriteTool({
  name: 'set_custom_field',
  title: 'Define a custom field',
  description:
    'Define a custom field for all contacts, or rename, change or delete the one with this ' +
    'name. Returns it. Set values with details of update_connections.',
  effect: 'destructive',
  idempotent: true,
  credits: 1,
  input: Type.Closed({
    name: name('What it is called'),
    kind: Type.Optional(
      Type.Enum([...CUSTOM_FIELD_KINDS], {
        type: 'string',
        description: 'Default text',
        [PLAIN_KEYWORD]: true,
      }),
    ),
    choices: choices('To add'),
    remove_choices: choices('To remove'),
    rename_to: Type.Optional(name('New name')),
    delete: Type.Optional(Type.Boolean({ description: 'Delete it with its values' })),
  }),
  output: Type.Closed({
    ...CustomFieldJson.properties,
    created: Type.Boolean(),
    deleted: Type.Optional(Type.Boolean()),
  }),
  async run({ tx, now, record }, { delete: isDeletion = false, rename_to: renameTo, ...input }) {
    const { kind, choices: add, remove_choices: remove } = input
    if (isDeletion) {
      if ([add, remove, kind, renameTo].some((one) => one !== undefined))
        throw new RequestError('invalid_request', 'A field can be deleted or changed, not both.', {
          errors: [{ pointer: '/delete', detail: 'must not be given with changes' }],
        })
      const { field, change } = await deleteCustomField(tx, input.name, now)
      await record(change)
      return { ...customFieldJson(field), created: false, deleted: true }
    }
    const choiceChanges = (add ?? remove) && { add: add ?? [], remove: remove ?? [] }
    const definition = { name: input.name, kind, choiceChanges, renameTo }
    const { field, isNew, change } = await setCustomField(tx, definition, now)
    if (change) await record(change)
    return { ...customFieldJson(field), created: isNew }
  },
})
