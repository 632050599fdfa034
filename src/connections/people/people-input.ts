/** Arguments of tools that read or change several people. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { MAX_URI_LENGTH } from '../../base/limits.ts'
import { CalendarDay } from '../../tools/arguments/date-argument.ts'
import { PLAIN_KEYWORD, SHORT_KEYWORD } from '../../tools/arguments/schema-part.ts'
import { MAX_TAG_LENGTH } from '../../base/limits.ts'
import { MAX_FILTER_LENGTH, MAX_QUERY_LENGTH } from '../search/query-lengths.ts'
import { NoteText, MAX_VALUES_PER_CALL } from '../editing/connection-input.ts'

const filter = (description: string, maxLength: number, example: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength,
      description,
      examples: [example],
      [PLAIN_KEYWORD]: true,
    }),
  )

/** People by what search_connections finds. */
export const Where = Type.Closed(
  {
    query: filter('Words or a question', MAX_QUERY_LENGTH, 'designer in Berlin'),
    company: filter('Where they work', MAX_FILTER_LENGTH, 'Acme'),
    title: filter('Job title', MAX_FILTER_LENGTH, 'designer'),
    location: filter('Where they live', MAX_FILTER_LENGTH, 'Berlin'),
    tag: filter('Tag they have', MAX_TAG_LENGTH, 'investor'),
  },
  {
    description: 'Or all complete matches, up to 100',
    examples: [{ query: 'First Last' }],
    [SHORT_KEYWORD]: 'query',
  },
)
export type Where = Static<typeof Where>

const values = (description: string, example: string) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_URI_LENGTH, examples: [example] }), {
      maxItems: MAX_VALUES_PER_CALL,
      description,
      [PLAIN_KEYWORD]: true,
    }),
  )

/** A change to a list. A plain list adds. */
export function listEdit(example: string) {
  return Type.Optional(
    Type.Closed(
      {
        add: values('Values to add', example),
        remove: values('Values to remove', example),
        replace: values('Instead of all present values', example),
      },
      {
        description: 'Values to add, or {add, remove} or {replace}',
        [SHORT_KEYWORD]: 'add',
        [PLAIN_KEYWORD]: true,
      },
    ),
  )
}

/** Values to take away, for clients that only send what is published: a list to add. */
export const RemovedValues = Type.Closed(
  {
    emails: values('Emails to remove', 'grace@example.com'),
    phones: values('Phone numbers to remove', '+49 30 901820'),
    links: values('Links to remove', 'https://example.com'),
    tags: values('Tags to remove', 'investor'),
  },
  { description: 'Takes values away' },
)

export interface ListEdit {
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
  readonly replace?: readonly string[]
}

/** A note to add. A plain text is a note without a date. */
export const NoteArgument = Type.Closed(
  {
    text: { ...NoteText, description: 'Text of the note', [PLAIN_KEYWORD]: true },
    on: Type.Optional({ ...CalendarDay('Date it is about', 'latest'), [PLAIN_KEYWORD]: true }),
  },
  { [SHORT_KEYWORD]: 'text' },
)
