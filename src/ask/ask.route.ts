/** `/ask`: natural-language questions about public profiles and the documentation (NLWeb). */

import * as Type from '../base/type.ts'
import { ASK_Q } from '../guards/deprecations.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { names, prefers } from '../http/content/accept.ts'
import { deprecationHeaders } from '../http/deprecation.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { answerAsEvents, answerAsJson, askFailure, EVENT_STREAM } from './response.ts'
import { peopleSource, type PeopleDeps } from './profile-source.ts'
import {
  QuestionInBody,
  questionInBody,
  QuestionInQuery,
  questionInQuery,
  type Question,
} from './question.ts'
import type { Answer } from '../http/response.ts'
import type { AskResult, AskSource } from './source.ts'

interface AskDeps extends PeopleDeps {
  /** Sources besides the public profiles. */
  readonly sources?: readonly AskSource[]
}

const PATH = '/ask'

/** A request may contain a whole conversation. */
const MAX_BYTES = 64 * 1024

const AskAnswer = Type.Object({
  query_id: Type.String(),
  _meta: Type.Object({
    response_type: Type.Literal('answer'),
    response_format: Type.Literal('conv_search'),
    version: Type.String(),
    mode: Type.Literal('list'),
    decontextualized_query: Type.String({ description: 'The question that was answered' }),
  }),
  results: Type.Array(
    Type.Object({
      '@type': Type.Literal('Item'),
      name: Type.String(),
      url: Type.String({ format: 'uri' }),
      site: Type.String(),
      score: Type.Integer({ minimum: 1, maximum: 100 }),
      description: Type.String(),
      schema_object: Type.Object({}, { description: 'A schema.org object, such as a Person' }),
    }),
  ),
})

const RECORD = {
  path: PATH,
  summary: 'Ask a natural-language question',
  description:
    'NLWeb: finds public profiles and documentation that match a question, best first. Understands typos, other ' +
    'spellings and scripts, nicknames, titles with the same meaning, and places. Profiles that match only most of the ' +
    'words have lower scores; a question that no one answers has no results. Returns JSON, or server-sent events if ' +
    'streaming is requested.',
  access: 'public',
  limit: LIMITS.ask,
  answers: {
    200: { description: 'The results', schema: AskAnswer, type: EVENT_STREAM },
    400: { description: 'No question, or an invalid field', type: 'problem' },
  },
  onError: askFailure,
} as const

export function askRoutes(deps: AskDeps): Route[] {
  const sources = [peopleSource(deps), ...(deps.sources ?? [])]
  return [
    defineRoute({
      ...RECORD,
      method: 'GET',
      operationId: 'ask',
      query: QuestionInQuery,
      batchable: true,
      handle: ({ query, header, streamable }) =>
        answer(sources, questionInQuery(query), { accept: header('accept'), streamable }),
    }),
    defineRoute({
      ...RECORD,
      method: 'POST',
      operationId: 'askByPost',
      body: { kind: 'json', schema: QuestionInBody, maxBytes: MAX_BYTES },
      handle: ({ body, header, streamable }) =>
        answer(sources, questionInBody(body), { accept: header('accept'), streamable }),
    }),
  ]
}

async function answer(
  sources: readonly AskSource[],
  question: Question,
  { accept, streamable }: { readonly accept: string | undefined; readonly streamable: boolean },
): Promise<Answer> {
  const results = await search(sources, question)
  // Only clients that name the type get events; one that accepts any text may not be able to read them.
  const asksForEvents =
    names(accept, 'text/event-stream') && prefers(accept, 'text/event-stream', 'application/json')
  const write = streamable && (question.streaming || asksForEvents) ? answerAsEvents : answerAsJson
  return write(question, results, question.byAlias ? aliasHeaders(question) : {})
}

async function search(
  sources: readonly AskSource[],
  { text, limit, minScore, sites }: Question,
): Promise<AskResult[]> {
  const found = await Promise.all(sources.map((source) => source.search(text, limit)))
  return found
    .flat()
    .filter(({ score, site }) => score >= minScore && (sites?.includes(site) ?? true))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit)
}

/** The replacement is the same request with `query`. */
function aliasHeaders({ text }: Question): Record<string, string> {
  const successor = ASK_Q.successor + encodeURIComponent(text)
  return deprecationHeaders({ ...ASK_Q, successor })
}
