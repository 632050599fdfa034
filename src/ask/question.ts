/** What a question may say: flat, as NLWeb began, or nested, as its version 0.55 has it. */

import Type, { type Static } from 'typebox'
import { RequestError } from '../base/request-error.ts'

/** One question, however it was asked. */
export interface Question {
  readonly queryId: string | undefined
  readonly text: string
  readonly limit: number
  readonly minScore: number
  /** Undefined for all of them. */
  readonly sites: readonly string[] | undefined
  readonly streaming: boolean
  /** Whether it was asked by `q`, which is deprecated. */
  readonly byAlias: boolean
}

/** In code points. */
const MAX_QUESTION_LENGTH = 500
const DEFAULT_RESULTS = 10
const MAX_RESULTS = 50

const text = (description: string, maxLength = MAX_QUESTION_LENGTH) =>
  Type.Optional(Type.String({ maxLength, description }))

const results = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RESULTS, description }))

const BOUNDS = {
  site: text('Only these parts, with commas between them: members, docs. Otherwise all.', 200),
  num_results: results(`At most so many results; ${DEFAULT_RESULTS} unless said otherwise`),
  max_results: results('The same'),
  min_score: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100, description: 'No result with a lower score' }),
  ),
}

const Mode = Type.Optional(
  Type.Enum(['list', 'summarize', 'generate'], {
    description: 'Every answer is a list, and says so in _meta.mode: nothing is written for you',
  }),
)

const FIELDS = {
  q: Type.Optional(
    Type.String({ maxLength: MAX_QUESTION_LENGTH, description: 'Use query.', deprecated: true }),
  ),
  decontextualized_query: text(
    'The question as it stands without a conversation; then this is asked',
  ),
  query_id: text('Comes back with the answer', 200),
  mode: Mode,
  ...BOUNDS,
}

export const QuestionInQuery = Type.Object({
  query: text('The question, or words of it'),
  ...FIELDS,
  streaming: Type.Optional(
    Type.Enum(['true', 'false', '1', '0'], { description: 'Answers as server-sent events' }),
  ),
})

const NestedQuery = Type.Object({ text: text('The question, or words of it'), ...BOUNDS })

export const QuestionInBody = Type.Object({
  query: Type.Optional(
    Type.Union([Type.String({ maxLength: MAX_QUESTION_LENGTH }), NestedQuery], {
      description: 'The question, or words of it; or, nested, all that concerns it',
    }),
  ),
  ...FIELDS,
  streaming: Type.Optional(Type.Boolean({ description: 'Answers as server-sent events' })),
  prefer: Type.Optional(Type.Object({ streaming: Type.Optional(Type.Boolean()), mode: Mode })),
})

export function questionInQuery(fields: Static<typeof QuestionInQuery>): Question {
  const streaming = fields.streaming === 'true' || fields.streaming === '1'
  return questionOf({ ...fields, query: fields.query, streaming })
}

export function questionInBody({
  query,
  prefer,
  ...fields
}: Static<typeof QuestionInBody>): Question {
  const streaming = prefer?.streaming ?? fields.streaming ?? false
  if (typeof query !== 'object') return questionOf({ ...fields, query, streaming })
  // These and no others: whatever else stands beside them was never checked.
  const { text: asked, site, num_results, max_results, min_score } = query
  const limits = { site, num_results, max_results, min_score }
  return questionOf({ ...fields, ...limits, query: asked, streaming })
}

/** What concerns a question in any of its forms, checked. */
interface Flat {
  readonly query: string | undefined
  readonly q?: string | undefined
  readonly decontextualized_query?: string | undefined
  readonly query_id?: string | undefined
  readonly site?: string | undefined
  readonly num_results?: number | undefined
  readonly max_results?: number | undefined
  readonly min_score?: number | undefined
  readonly streaming: boolean
}

function questionOf(fields: Flat): Question {
  const { query, q, decontextualized_query: alone, site, min_score: minScore = 0 } = fields
  const asked = [alone, query, q].find((one) => one !== undefined && one.trim() !== '')
  if (asked === undefined)
    throw new RequestError('missing_query', 'Ask something: the question goes into query.', {
      hint: 'For example /ask?query=who+works+on+climate+in+Berlin',
      errors: [{ pointer: '/query', detail: 'is required' }],
    })
  return {
    queryId: fields.query_id,
    text: asked.trim(),
    limit: fields.max_results ?? fields.num_results ?? DEFAULT_RESULTS,
    minScore,
    sites: sitesOf(site),
    streaming: fields.streaming,
    byAlias: q !== undefined,
  }
}

function sitesOf(site = 'all'): string[] | undefined {
  const sites = site
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '')
  return sites.length === 0 || sites.includes('all') ? undefined : sites
}
