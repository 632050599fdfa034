/** Runs in a worker thread: one computation at a time, on its own database connection. */

import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { threadErrorOf } from '../../base/concurrency/thread-error.ts'
import {
  NO_MEMBER,
  type ComputeMessage,
  type ComputeSource,
  type ComputeTask,
  type ThreadReaders,
} from '../compute-messages.ts'
import type { ComputeFunction, MemberReader, Reader, ReportSteps } from '../database.ts'

if (parentPort) computeTasks(parentPort, workerData as ComputeSource)

function computeTasks(port: MessagePort, source: ComputeSource): void {
  const open = openedOnce(source)
  port.on('message', (task: ComputeTask) => {
    void computeTask(port, open, task).then((message) => port.postMessage(message))
  })
}

/** If opening fails, the next task tries again. */
function openedOnce(source: ComputeSource): () => Promise<ThreadReaders> {
  let readers: ThreadReaders | undefined
  return async () => (readers ??= await openReaders(source))
}

/** Loads only the engine that is in use. */
async function openReaders({ address, timeouts }: ComputeSource): Promise<ThreadReaders> {
  if (address.engine === 'sqlite') {
    const { openSqliteReaders } = await import('./sqlite/readers.ts')
    return openSqliteReaders(address.path)
  }
  const { openPostgresReaders } = await import('./postgres/readers.ts')
  return openPostgresReaders(address, timeouts)
}

type Compute = ComputeFunction<unknown, unknown, MemberReader | Reader>

async function computeTask(
  port: MessagePort,
  open: () => Promise<ThreadReaders>,
  { memberId, module, name, input }: ComputeTask,
): Promise<ComputeMessage> {
  try {
    const readers = await open()
    const reader = memberId === NO_MEMBER ? readers.shared : readers.member(memberId)
    // `defineComputation` guarantees that the module exports this function, and that it reads this.
    const exported = (await import(module)) as Record<string, Compute>
    const compute = exported[name]
    if (!compute) throw new TypeError(`${module} does not export ${name}`)
    const report: ReportSteps = (...steps) =>
      port.postMessage({ kind: 'report', steps } satisfies ComputeMessage)
    return { kind: 'output', output: await compute(reader, input, report) }
  } catch (error) {
    return threadErrorOf(error)
  }
}
