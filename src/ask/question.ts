/** The fields of a question: flat, as in early NLWeb, or nested, as in version 0.55. */

import * as Type from '../base/type.ts'
import type { Static } from 'typebox'
import { RequestError } from '../base/request-error.ts'

/** A question, independent of its format. */
export interface Question {
  readonly queryId: string | undefined
  readonly text: string
  readonly limit: number
  readonly minScore: number
  /** Undefined means all. */
  readonly sites: readonly string[] | undefined
  readonly streaming: boolean
  /** Whether the deprecated parameter `q` was used. */
  readonly byAlias: boolean
}

/** Code points. */
const MAX_QUESTION_LENGTH = 500
const DEFAULT_RESULTS = 10
const MAX_RESULTS = 50

const text = (description: string, maxLength = MAX_QUESTION_LENGTH) =>
  Type.Optional(Type.String({ maxLength, description }))

const results = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RESULTS, description }))

const BOUNDS = {
  site: text('Parts to search, separated by commas: members, docs. Default: all.', 200),
  num_results: results(`Maximum number of results; default ${DEFAULT_RESULTS}`),
  max_results: results('Same as num_results'),
  min_score: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100, description: 'Omits results with a lower score' }),
  ),
}

const Mode = Type.Optional(
  Type.Enum(['list', 'summarize', 'generate'], {
    description: 'Every response is a list, as _meta.mode states. Weft does not generate text.',
  }),
)

const FIELDS = {
  q: Type.Optional(
    Type.String({ maxLength: MAX_QUESTION_LENGTH, description: 'Use query.', deprecated: true }),
  ),
  decontextualized_query: text(
    'The question without its conversation; takes precedence over query',
  ),
  query_id: text('Returned in the response', 200),
  mode: Mode,
  ...BOUNDS,
}

export const QuestionInQuery = Type.Object({
  query: text('The question or keywords'),
  ...FIELDS,
  streaming: Type.Optional(
    Type.Enum(['true', 'false', '1', '0'], { description: 'Responds with server-sent events' }),
  ),
})

const NestedQuery = Type.Object({ text: text('The question or keywords'), ...BOUNDS })

export const QuestionInBody = Type.Object({
  query: Type.Optional(
    Type.Union([Type.String({ maxLength: MAX_QUESTION_LENGTH }), NestedQuery], {
      description: 'The question or keywords, or an object with the fields of the question',
    }),
  ),
  ...FIELDS,
  streaming: Type.Optional(Type.Boolean({ description: 'Responds with server-sent events' })),
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
  // Only these fields: the schema does not check others.
  const { text: nested, site, num_results, max_results, min_score } = query
  const limits = { site, num_results, max_results, min_score }
  return questionOf({ ...fields, ...limits, query: nested, streaming })
}

/** The validated fields of any format. */
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
  const question = [alone, query, q].find((one) => one !== undefined && one.trim() !== '')
  if (question === undefined)
    throw new RequestError('missing_query', 'The question is missing.', {
      hint: 'Send it as query, for example /ask?query=who+works+on+climate+in+Berlin',
      errors: [{ pointer: '/query', detail: 'is required' }],
    })
  return {
    queryId: fields.query_id,
    text: question.trim(),
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
