/** Semantic search: a model and the vectors that it computed. */

import { SECOND } from '../base/clock.ts'
import { KeyedSemaphore } from '../base/keyed-semaphore.ts'
import { RequestError } from '../base/request-error.ts'
import { endpointModel, type EndpointSettings } from './endpoint-model.ts'
import { vectorMemory, type VectorMemory } from './vector-memory.ts'
import { wordModel } from './word-model.ts'
import type { EmbeddingModel } from './embedding-model.ts'

export interface Embedder {
  readonly model: EmbeddingModel
  readonly memory: VectorMemory
  /** Comparing a question with a whole network takes many slices of the main thread: members take turns at it. */
  readonly turns: KeyedSemaphore<number>
  /**
   * The version of each network up to which this process knows that its vectors are current. While it makes them, a
   * promise that resolves when it has.
   */
  readonly followed: Map<number, number | Promise<void>>
}

/** With the model of an endpoint where one is set, or with the one that comes with Weft. */
export function openEmbedder(endpoint: EndpointSettings | null): Embedder {
  return {
    model: endpoint ? endpointModel(endpoint) : wordModel(),
    memory: vectorMemory(),
    followed: new Map(),
    turns: new KeyedSemaphore({
      permits: COMPARED_AT_A_TIME,
      permitsPerKey: 1,
      waitingPerKey: MAX_WAITING_PER_MEMBER,
    }),
  }
}

/** One member's turn does not wait for the end of another's. */
const COMPARED_AT_A_TIME = 2
/** A turn takes about 0.1 s in a network of 60,000. */
const MAX_WAITING_PER_MEMBER = 100

/** A person waits for it; a job has more patience. */
const PATIENCE = 5 * SECOND

/** @throws {RequestError} `unavailable` when an embeddings endpoint does not respond in time. */
export async function embedQuestion(
  { model }: Embedder,
  text: string,
  signal: AbortSignal,
): Promise<Float32Array> {
  const late = AbortSignal.timeout(PATIENCE)
  try {
    const [vector] = await model.embed([text], AbortSignal.any([signal, late]))
    return vector ?? new Float32Array(0)
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error
    throw new RequestError('unavailable', 'The embeddings endpoint did not respond in time.')
  }
}
