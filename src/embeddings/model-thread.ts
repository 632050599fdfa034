/** Runs in a worker thread: embeds one list of texts after another. */

import { parentPort } from 'node:worker_threads'
import { threadErrorOf, type ThreadError } from '../base/thread-error.ts'
import { wordModel } from './word-model.ts'

export type ModelAnswer =
  | { readonly kind: 'vectors'; readonly vectors: Float32Array[] }
  | ThreadError

const model = wordModel()

parentPort?.on('message', (texts: readonly string[]) => {
  void embed(texts).then((answer) => parentPort?.postMessage(answer))
})

async function embed(texts: readonly string[]): Promise<ModelAnswer> {
  try {
    return { kind: 'vectors', vectors: await model.embed(texts) }
  } catch (error) {
    return threadErrorOf(error)
  }
}
