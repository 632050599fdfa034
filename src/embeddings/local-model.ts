/** Models of this machine. Many texts are embedded in a thread, so that other calls do not wait. */

import { DAY, MINUTE } from '../base/clock.ts'
import { errorOf } from '../base/concurrency/thread-error.ts'
import { ThreadPool } from '../base/concurrency/thread-pool.ts'
import { WorkerThread } from '../base/concurrency/worker-thread.ts'
import { readModelFolder, type ModelFolder } from './model-folder.ts'
import { wordModel, WORD_MIN_COSINE } from './word-model.ts'
import type { EmbeddingModel } from './embedding-model.ts'
import type { ModelAnswer } from './model-thread.ts'

/** Texts of some connections that were edited. They take less time than to start a thread. */
const MAX_TEXTS_HERE = 32
const WORDS_IDLE_TIMEOUT_MS = MINUTE

export function builtInModel(): EmbeddingModel {
  const here = wordModel()
  const inThread = embedInThread(undefined, WORDS_IDLE_TIMEOUT_MS)
  return {
    ...here,
    embed: (texts, signal) =>
      texts.length <= MAX_TEXTS_HERE ? here.embed(texts) : inThread(texts, signal),
  }
}

/** @throws {RequestError} `conflict` when the folder has no model. */
export function folderModel(path: string): EmbeddingModel {
  const folder = readModelFolder(path)
  return {
    name: folder.name,
    isLocal: true,
    minCosine: WORD_MIN_COSINE,
    // Loading the tokenizer takes seconds.
    embed: embedInThread(folder, DAY),
  }
}

/** One thread, which embeds one list of texts at a time. It starts when it is needed, and ends when it is not. */
function embedInThread(
  folder: ModelFolder | undefined,
  idleTimeoutMs: number,
): EmbeddingModel['embed'] {
  const threads = new ThreadPool(
    () => new WorkerThread(import.meta.url, './model-thread', { data: folder }),
    { size: 1, idleTimeoutMs },
  )
  return async (texts, signal) => {
    const receive = (message: ModelAnswer) => message
    const answer = await threads.run(0, (thread) => thread.ask(texts, { receive }), signal)
    if (answer.kind === 'vectors') return answer.vectors
    throw errorOf(answer)
  }
}
