/** Runs inside a worker thread: one computation after another, on a database connection of its own. */

import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { Refusal, type RefusalCode, type RefusalDetails } from '../../base/request-error.ts'
import type { DatabaseAddress } from '../address.ts'
import type { DatabaseTimeouts } from '../timeouts.ts'
import type { ComputeFunction, MemberReader, ReportSteps } from '../database.ts'

/** Which database a thread reads, and how long a statement may take. */
export interface ComputeSource {
  readonly address: DatabaseAddress
  readonly timeouts: DatabaseTimeouts
}

export interface ComputeTask {
  readonly memberId: number
  readonly module: string
  readonly name: string
  readonly input: unknown
}

/** Reports come ahead of the one message that ends a task. */
export type ComputeMessage =
  | { readonly kind: 'report'; readonly steps: Parameters<ReportSteps> }
  | { readonly kind: 'output'; readonly output: unknown }
  | {
      readonly kind: 'refusal'
      readonly code: RefusalCode
      readonly message: string
      readonly details: RefusalDetails
    }
  | { readonly kind: 'error'; readonly error: Error }

type ReaderOf = (memberId: number) => MemberReader

if (parentPort) computeTasks(parentPort, workerData as ComputeSource)

function computeTasks(port: MessagePort, source: ComputeSource): void {
  const open = openedOnce(source)
  port.on('message', (task: ComputeTask) => {
    void computeTask(port, open, task).then((message) => port.postMessage(message))
  })
}

/** Opening that fails is tried again by the next task. */
function openedOnce(source: ComputeSource): () => Promise<ReaderOf> {
  let readers: ReaderOf | undefined
  return async () => (readers ??= await openReaders(source))
}

/** Only the engine that is used is loaded. */
async function openReaders({ address, timeouts }: ComputeSource): Promise<ReaderOf> {
  if (address.engine === 'sqlite') {
    const { openSqliteReaders } = await import('./sqlite/member-reader.ts')
    return openSqliteReaders(address.path)
  }
  const { openPostgresReaders } = await import('./postgres/database.ts')
  return openPostgresReaders(address.url, timeouts)
}

async function computeTask(
  port: MessagePort,
  open: () => Promise<ReaderOf>,
  { memberId, module, name, input }: ComputeTask,
): Promise<ComputeMessage> {
  try {
    const reader = (await open())(memberId)
    // `defineComputation` named a function that this module exports.
    const exported = (await import(module)) as Record<string, ComputeFunction<unknown, unknown>>
    const compute = exported[name]
    if (!compute) throw new TypeError(`${module} does not export ${name}`)
    const report: ReportSteps = (...steps) =>
      port.postMessage({ kind: 'report', steps } satisfies ComputeMessage)
    return { kind: 'output', output: await compute(reader, input, report) }
  } catch (error) {
    if (error instanceof Refusal)
      return { kind: 'refusal', code: error.code, message: error.message, details: error.details }
    return { kind: 'error', error: error instanceof Error ? error : new Error(String(error)) }
  }
}
