/** Semantic search: a model and its stored vectors. */

import { SECOND } from '../base/clock.ts'
import { KeyedSemaphore } from '../base/concurrency/keyed-semaphore.ts'
import { RequestError } from '../base/request-error.ts'
import { newWorkerId } from '../base/concurrency/worker-id.ts'
import { endpointModel, type EndpointSettings } from './endpoint-model.ts'
import { vectorMemory, type VectorMemory } from './vector-memory.ts'
import { builtInModel, folderModel } from './local-model.ts'
import type { EmbeddingModel } from './embedding-model.ts'

export interface Embedder {
  readonly model: EmbeddingModel
  readonly memory: VectorMemory
  /** Comparing a query with a whole network takes many slices of the main thread, so members take turns. */
  readonly turns: KeyedSemaphore<number>
  /** Identifies this process as the holder of leases on networks. */
  readonly worker: string
  /** Networks that this process prepares, for a search or in the background. */
  readonly preparing: Map<number, Promise<void>>
}

export type EmbeddingsSettings = EndpointSettings | { readonly folder: string }

/**
 * Uses the built-in model if there are no settings.
 *
 * @throws {RequestError} `conflict` when the folder has no model.
 */
export function openEmbedder(settings: EmbeddingsSettings | null): Embedder {
  return {
    model: modelOf(settings),
    memory: vectorMemory(),
    worker: newWorkerId(),
    preparing: new Map(),
    turns: new KeyedSemaphore({
      permits: COMPARED_AT_A_TIME,
      permitsPerKey: 1,
      waitingPerKey: MAX_WAITING_PER_MEMBER,
    }),
  }
}

function modelOf(settings: EmbeddingsSettings | null): EmbeddingModel {
  if (!settings) return builtInModel()
  return 'folder' in settings ? folderModel(settings.folder) : endpointModel(settings)
}

/** Members do not wait for each other. */
const COMPARED_AT_A_TIME = 2
/** A search takes about 0.1 s in a network of 60,000. */
const MAX_WAITING_PER_MEMBER = 100

/** A person waits for it, so it is shorter than the timeout of a job. */
const PATIENCE = 5 * SECOND

/** @throws {RequestError} `unavailable` when an embeddings endpoint does not respond in time. */
export async function embedQuestion(
  { model }: Embedder,
  text: string,
  signal: AbortSignal,
): Promise<Float32Array> {
  if (model.embedQuestion) return model.embedQuestion(text)
  const late = AbortSignal.timeout(PATIENCE)
  try {
    const [vector] = await model.embed([text], AbortSignal.any([signal, late]))
    return vector ?? new Float32Array(0)
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error
    throw new RequestError('unavailable', 'The embeddings endpoint did not respond in time.')
  }
}
