/** Runs in a worker thread: embeds one list of texts after another. */

import { parentPort, workerData } from 'node:worker_threads'
import { lazy } from '../base/lazy.ts'
import { threadErrorOf, type ThreadError } from '../base/concurrency/thread-error.ts'
import { wordModel } from './word-model.ts'
import type { ModelFolder } from './model-folder.ts'

export type ModelAnswer =
  | { readonly kind: 'vectors'; readonly vectors: Float32Array[] }
  | ThreadError

type Embed = (texts: readonly string[]) => Promise<Float32Array[]> | Float32Array[]

const model = lazy(async (): Promise<Embed> => {
  const folder = workerData as ModelFolder | undefined
  if (!folder) {
    const words = wordModel()
    return (texts) => words.embed(texts)
  }
  const { openStaticModel } = await import('./static-model.ts')
  const embed = openStaticModel(folder)
  return (texts) => texts.map(embed)
})

parentPort?.on('message', (texts: readonly string[]) => {
  void answerTo(texts).then((answer) => parentPort?.postMessage(answer))
})

async function answerTo(texts: readonly string[]): Promise<ModelAnswer> {
  try {
    const embed = await model()
    return { kind: 'vectors', vectors: await embed(texts) }
  } catch (error) {
    return threadErrorOf(error)
  }
}
