/**
 * Transactions in a thread, for bulk work: the main thread prepares the next statements while one runs. The thread starts
 * with the first of them, and ends when there was none for some seconds.
 */

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { errorOf } from '../../../base/thread-error.ts'
import { databaseUnavailable } from '../../unavailable.ts'
import { failureOf } from './failures.ts'
import type {
  Operands,
  Operation,
  WriteAnswer,
  WriteRequest,
  WritingThreadData,
} from './writing-thread.ts'

/** Milliseconds without a transaction until the thread ends. Its heap and page cache take about 25 MB. */
const IDLE_TIME = 10_000

/** Of the thread's heap, in MiB: it keeps nothing from one statement to the next. */
const LIMITS = { maxYoungGenerationSizeMb: 4 }

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export class ThreadWriter {
  readonly #data: WritingThreadData
  /** In the order of the requests. */
  readonly #pending: Pending[] = []
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(data: WritingThreadData) {
    this.#data = data
  }

  begin(): Promise<unknown> {
    clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    return this.ask('begin')
  }

  commit(): Promise<unknown> {
    this.#endWhenIdle()
    return this.ask('commit')
  }

  /** Never rejects: a transaction also ends with its thread. */
  async rollback(): Promise<void> {
    this.#endWhenIdle()
    try {
      await this.ask('rollback')
    } catch {
      await this.#worker?.terminate()
    }
  }

  /**
   * Resolves with what the operation returns. Rejects with the error of `node:sqlite`.
   *
   * @throws {RequestError} `unavailable` when the thread has failed since `begin`.
   */
  ask<Name extends Operation>(operation: Name, ...operands: Operands<Name>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const worker = this.#worker
      if (!worker) throw databaseUnavailable(ended())
      // The thread keeps the process running only while a request is pending.
      if (this.#pending.length === 0) worker.ref()
      this.#pending.push({ resolve, reject })
      worker.postMessage({ operation, operands } satisfies WriteRequest<Name>)
    })
  }

  /** Call it between two transactions. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    if (!worker) return
    this.#worker = undefined
    await new Promise<void>((resolve) => {
      worker.ref()
      worker.once('exit', () => resolve())
      worker.postMessage('close')
    })
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => void this.close(), IDLE_TIME)
    this.#idle.unref()
  }

  #start(): Worker {
    const worker = new Worker(
      new URL(import.meta.resolve(`./writing-thread${extname(import.meta.url)}`)),
      { workerData: this.#data, resourceLimits: LIMITS },
    )
    worker.on('message', (answer: WriteAnswer) => {
      const pending = this.#pending.shift()
      if (this.#pending.length === 0) worker.unref()
      if (answer.kind === 'value') pending?.resolve(answer.value)
      else pending?.reject(thrownBy(answer))
    })
    // An open transaction ends with the connection of the thread.
    worker.on('error', (error: Error) => this.#lose(worker, error))
    worker.on('exit', () => this.#lose(worker, ended()))
    return worker
  }

  #lose(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    for (const { reject } of this.#pending.splice(0)) reject(databaseUnavailable(error))
  }
}

function ended(): Error {
  return new Error('the writing thread has ended')
}

function thrownBy(answer: Exclude<WriteAnswer, { readonly kind: 'value' }>): Error {
  return answer.kind === 'failure' ? failureOf(answer.message, answer.errcode) : errorOf(answer)
}
