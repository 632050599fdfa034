/** Runs a model of this machine. Many texts are embedded in a thread, so that other calls do not wait. */

import { MINUTE } from '../base/clock.ts'
import { KeyedSemaphore } from '../base/keyed-semaphore.ts'
import { errorOf } from '../base/thread-error.ts'
import { ThreadPool } from '../base/thread-pool.ts'
import { WorkerThread } from '../base/worker-thread.ts'
import { wordModel } from './word-model.ts'
import type { EmbeddingModel } from './embedding-model.ts'
import type { ModelAnswer } from './model-thread.ts'

/** A thread without work ends after this time and frees the memory of the model. */
const IDLE_TIMEOUT_MS = 10 * MINUTE

/** Texts of some connections that were edited. They take less time than to start a thread. */
const MAX_TEXTS_HERE = 32

export function localModel(): EmbeddingModel {
  const here = wordModel()
  const inThread = threadOf()
  return {
    ...here,
    embed: (texts, signal) =>
      texts.length <= MAX_TEXTS_HERE ? here.embed(texts) : inThread(texts, signal),
  }
}

/** One thread, which embeds one list of texts at a time. It starts when it is needed. */
function threadOf() {
  const threads = new ThreadPool(() => new WorkerThread(import.meta.url, './model-thread'), {
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    maxIdle: 1,
  })
  const turns = new KeyedSemaphore({ permits: 1 })
  const embed = async (texts: readonly string[]): Promise<Float32Array[]> => {
    const thread = threads.take()
    try {
      const answer = await thread.ask(texts, { receive: (message: ModelAnswer) => message })
      if (answer.kind === 'vectors') return answer.vectors
      throw errorOf(answer)
    } finally {
      threads.give(thread)
    }
  }
  return (texts: readonly string[], signal: AbortSignal | undefined) =>
    turns.run(0, () => embed(texts), signal)
}
