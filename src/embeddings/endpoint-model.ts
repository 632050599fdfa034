/** A model behind an OpenAI-compatible endpoint: https://platform.openai.com/docs/api-reference/embeddings */

import { setTimeout as sleep } from 'node:timers/promises'
import * as Type from '../base/type.ts'
import { SECOND } from '../base/clock.ts'
import { KeyedSemaphore } from '../base/concurrency/keyed-semaphore.ts'
import { RequestError } from '../base/request-error.ts'
import { checkSchema } from '../base/schema.ts'
import { normalized, type EmbeddingModel } from './embedding-model.ts'

export interface EndpointSettings {
  /** Without a trailing slash; `/embeddings` is appended. */
  readonly url: string
  /** Sent as a bearer token; null if none is needed. */
  readonly key: string | null
  readonly model: string
}

interface EndpointDeps {
  /** Timeout of one request. Milliseconds. */
  readonly patience: number
  /** Waits before a retry. */
  readonly pause: (milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>
}

/** Texts per request, which every server accepts. */
const MAX_TEXTS = 64
/** Maximum characters of a text: about 2,000 tokens, which every model accepts. */
const MAX_TEXT_LENGTH = 8000
const MAX_TRIES = 3
/** Requests of all members at a time. A question waits behind at most this many others. */
const MAX_REQUESTS = 16
/** Milliseconds before the second attempt; twice as long before the third. */
const FIRST_PAUSE = SECOND / 2
/**
 * For models like OpenAI's, where unrelated texts are below it. Models that place all texts closer together cut off
 * nothing.
 */
const MIN_COSINE = 0.35

/** Maximum wait between two attempts, regardless of what the server requests. */
const MAX_RETRY_DELAY_MS = 10 * SECOND

const PARTS: EndpointDeps = {
  patience: 20 * SECOND,
  pause: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
}

export function endpointModel(
  settings: EndpointSettings,
  { patience, pause }: EndpointDeps = PARTS,
): EmbeddingModel {
  const turns = new KeyedSemaphore<0>({ permits: MAX_REQUESTS })

  /** The vectors, or the reason for their absence. */
  async function ask(texts: readonly string[], signal: AbortSignal | undefined): Promise<Answer> {
    const late = AbortSignal.timeout(patience)
    try {
      const response = await fetch(`${settings.url}/embeddings`, {
        ...requestOf(settings, texts),
        signal: signal ? AbortSignal.any([signal, late]) : late,
      })
      if (response.ok) return await readAnswer(response, texts.length)
      await response.body?.cancel()
      return failureOf(response)
    } catch (error) {
      signal?.throwIfAborted()
      const reason = late.aborted ? 'did not respond in time' : 'cannot be reached'
      return { reason, again: true, cause: error }
    }
  }

  async function embedSome(
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    for (let tries = 1; ; tries += 1) {
      const answer = await turns.run(0, () => ask(texts, signal), signal)
      if ('vectors' in answer) return answer.vectors
      if (!answer.again || tries === MAX_TRIES) throw unavailable(answer)
      const usual = FIRST_PAUSE * 2 ** (tries - 1)
      await pause(Math.min(answer.wait ?? usual, MAX_RETRY_DELAY_MS), signal)
    }
  }

  return {
    name: settings.model,
    isLocal: false,
    minCosine: MIN_COSINE,
    async embed(texts, signal) {
      const vectors: Float32Array[] = []
      for (let from = 0; from < texts.length; from += MAX_TEXTS)
        vectors.push(...(await embedTelling(texts.slice(from, from + MAX_TEXTS), signal)))
      return vectors
    },
  }

  /** Servers reject an empty text, so its vector is all zeros. */
  async function embedTelling(
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const telling = texts.filter((text) => text.trim() !== '')
    const found = telling.length === 0 ? [] : await embedSome(telling, signal)
    let next = 0
    return texts.map((text) => (text.trim() === '' ? NOTHING : (found[next++] ?? NOTHING)))
  }
}

const NOTHING = new Float32Array(0)

type Answer = { readonly vectors: Float32Array[] } | Failure

interface Failure {
  /** Completes a sentence that starts with "The embeddings endpoint". */
  readonly reason: string
  /** Whether a retry could succeed. */
  readonly again: boolean
  /** The wait in milliseconds that the server requests. */
  readonly wait?: number | undefined
  readonly cause?: unknown
}

/** Redirects are not followed, because they would send the key and the texts to another host. */
function requestOf({ key, model }: EndpointSettings, texts: readonly string[]): RequestInit {
  return {
    method: 'POST',
    redirect: 'error',
    headers: {
      'content-type': 'application/json',
      ...(key !== null && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({
      model,
      input: texts.map((text) => text.slice(0, MAX_TEXT_LENGTH).toWellFormed()),
      encoding_format: 'float',
    }),
  }
}

function failureOf({ status, headers }: Response): Failure {
  const seconds = headers.get('retry-after')
  return {
    reason: `returned status ${status}`,
    again: status === 408 || status === 429 || status >= 500,
    wait: seconds !== null && /^\d{1,9}$/.test(seconds) ? Number(seconds) * SECOND : undefined,
  }
}

const Embeddings = Type.Object({
  data: Type.Array(
    Type.Object({ index: Type.Integer(), embedding: Type.Array(Type.Number(), { minItems: 1 }) }),
  ),
})

async function readAnswer(response: Response, count: number): Promise<Answer> {
  const checked = checkSchema(Embeddings, await response.json().catch(() => undefined))
  const vectors = checked.ok
    ? checked.value.data
        .toSorted((one, other) => one.index - other.index)
        .map(({ embedding }) => normalized(Float32Array.from(embedding)))
    : []
  if (vectors.length === count) return { vectors }
  return { reason: 'did not answer with embeddings', again: false }
}

function unavailable({ reason, cause }: Failure): RequestError {
  const error = new RequestError('unavailable', `The embeddings endpoint ${reason}.`)
  error.cause = cause
  return error
}
