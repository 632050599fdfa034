/** Reads a contact file in a worker thread: members' files are never parsed on the main thread. */

import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { MINUTE, SECOND } from '../../base/clock.ts'
import { Inbox } from '../../base/inbox.ts'
import { errorOf } from '../../base/thread-error.ts'
import { ThreadPool } from '../../base/thread-pool.ts'
import { WorkerThread } from '../../base/worker-thread.ts'
import { decodeRows } from './row-batch.ts'
import type { ImportRow } from '../../contact-files/contact/contact.ts'
import { oneByOne, type ContactFile, type Extent } from '../../contact-files/file/contact-file.ts'
import type { FileColumn } from '../../contact-files/columns/file-columns.ts'
import type {
  FromReadingThread,
  OpenedFile,
  ReadingRequest,
  ReadingTask,
  ToReadingThread,
} from './reading-messages.ts'

/**
 * Batches that are read ahead: a few hundred rows each. The thread gets no answer while the main thread plans or saves a
 * batch.
 */
const BATCHES_AHEAD = 4

/**
 * How long an import waits for its file, in total, before it gives up. The largest file, of 50 MB, takes half a minute; the
 * rest is for slow and busy machines.
 */
const TIME_LIMIT_MS = 5 * MINUTE

/** In MiB. A young generation without limit takes 60 MB more and saves no time. */
const HEAP_LIMITS = { heapMebibytes: 1024, youngHeapMebibytes: 6 }

/**
 * The thread that read the last file waits for the next: compiling its code again takes as long as reading some ten
 * thousand rows. A waiting thread takes about 25 MB.
 */
const threads = new ThreadPool(
  () => new WorkerThread(import.meta.url, './reading-thread', HEAP_LIMITS),
  { idleTimeoutMs: 30 * SECOND, maxIdle: 1 },
)

interface ReadingOptions {
  readonly signal?: AbortSignal
  readonly timeLimitMs?: number
}

type Answer = Exclude<FromReadingThread, { readonly kind: 'more' }>

/**
 * Opens the file in a thread, which is free again when the result is disposed or `signal` aborts. The rows have the keys of
 * their contacts.
 *
 * @throws {RequestError} `unreadable_file` when the file is not a list of contacts; its rows throw it as well.
 * @throws {ThreadLimitExceeded} when the file takes too much time or memory; its rows throw it as well.
 */
export async function openInThread(
  bytes: AsyncIterator<Uint8Array>,
  task: ReadingTask,
  options: ReadingOptions = {},
): Promise<ContactFile & AsyncDisposable> {
  options.signal?.throwIfAborted()
  const thread = new ReadingThread(bytes, task, options)
  try {
    return contactFileOf(thread, await thread.open())
  } catch (error) {
    await thread[Symbol.asyncDispose]()
    throw error
  }
}

function contactFileOf(thread: ReadingThread, opened: OpenedFile): ContactFile & AsyncDisposable {
  const rowBatches = thread.rowBatches(opened.extent)
  return {
    ...opened,
    columns: () => thread.columns,
    rowBatches,
    rows: oneByOne(rowBatches),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}

class ReadingThread implements AsyncDisposable {
  /** With the values read so far. */
  columns: readonly FileColumn[] = []
  readonly #thread = threads.take()
  /** Of this file alone, so that the next one gets no late messages. */
  readonly #port: MessagePort
  readonly #bytes: AsyncIterator<Uint8Array>
  readonly #answers = new Inbox<Answer>()
  /** Settles when the thread has finished this file or has ended. Never rejects. */
  readonly #finished: Promise<unknown>
  readonly #timeLimitMs: number
  #waitedMs = 0
  /** Whether the thread has sent all it has to say about the file, and can read another. */
  #hasEnded = false

  constructor(
    bytes: AsyncIterator<Uint8Array>,
    task: ReadingTask,
    { signal, timeLimitMs = TIME_LIMIT_MS }: ReadingOptions,
  ) {
    this.#bytes = bytes
    this.#timeLimitMs = timeLimitMs
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    port1.on('message', (message: FromReadingThread) => {
      if (message.kind === 'more') void this.#sendBytes()
      else this.#answers.put(message)
    })
    const request: ReadingRequest = { task, port: port2 }
    this.#finished = this.#thread
      .ask(request, { transfer: [port2], signal, receive: () => true })
      .catch((error: unknown) => this.#answers.fail(error))
  }

  async open(): Promise<OpenedFile> {
    const answer = await this.#nextAnswer()
    if (answer.kind === 'opened') return answer.file
    throw unexpected(answer)
  }

  async *rowBatches(extent: Extent | undefined): AsyncGenerator<ImportRow[], void> {
    for (let ahead = 0; ahead < BATCHES_AHEAD; ahead += 1) this.#send({ kind: 'next' })
    for (;;) {
      const answer = await this.#nextAnswer()
      if (answer.kind !== 'rows' && answer.kind !== 'end') throw unexpected(answer)
      this.columns = answer.columns
      if (answer.kind === 'end') return
      if (extent) extent.read = answer.read
      this.#send({ kind: 'next' })
      yield decodeRows(answer.rows)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#port.close()
    if (this.#hasEnded) {
      await this.#finished
      threads.give(this.#thread)
    } else await this.#thread.end()
    await this.#bytes.return?.()
  }

  /** Ends the thread if the import has waited too long for it. What it reads ahead meanwhile does not count. */
  async #nextAnswer(): Promise<Answer> {
    const startedAt = performance.now()
    const timeLeftMs = this.#timeLimitMs - this.#waitedMs
    using _limit = this.#thread.limitTime(timeLeftMs, this.#timeLimitMs)
    const answer = await this.#answers.take()
    this.#waitedMs += performance.now() - startedAt
    this.#hasEnded = answer.kind === 'end' || answer.kind === 'request_error'
    return answer
  }

  async #sendBytes(): Promise<void> {
    try {
      const { done, value } = await this.#bytes.next()
      if (done === true) this.#send({ kind: 'bytes', bytes: null })
      else this.#send({ kind: 'bytes', bytes: value }, ownBuffer(value))
    } catch (error) {
      this.#answers.fail(error)
    }
  }

  #send(message: ToReadingThread, transferred: ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transferred)
  }
}

/** The buffer, to transfer instead of copying it; none if it has other bytes as well, as those of PostgreSQL may. */
function ownBuffer({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []
}

function unexpected(answer: Answer): Error {
  if (answer.kind === 'error' || answer.kind === 'request_error') return errorOf(answer)
  return new Error(`the thread that read the file sent "${answer.kind}"`)
}
