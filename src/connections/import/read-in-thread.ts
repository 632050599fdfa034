/** Reads a contact file in a worker thread, so that a large import leaves the main thread to others and to its writes. */

import { extname } from 'node:path'
import { deserialize } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { Inbox } from '../../base/inbox.ts'
import { errorOf } from '../../base/thread-error.ts'
import type { ImportRow } from '../model/contact.ts'
import { oneByOne, type ContactFile, type Extent } from './formats/contact-file.ts'
import type { FileColumn } from './formats/file-columns.ts'
import type {
  FromReadingThread,
  OpenedFile,
  ReadingTask,
  ToReadingThread,
} from './reading-messages.ts'

/** Of the thread's heap, in MiB. A young generation without limit takes 60 MB more and saves no time. */
const LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 6 }
/**
 * Batches that are read ahead: a few hundred rows each. The thread gets no answer while the main thread plans or saves a
 * batch.
 */
const BATCHES_AHEAD = 4

type Answer = Exclude<FromReadingThread, { readonly kind: 'more' }>

/**
 * Opens the file in a thread of its own, which ends when the result is disposed or `signal` aborts. The rows have the keys of
 * their contacts.
 *
 * @throws {RequestError} `unreadable_file` when the file is not a list of contacts; its rows throw it as well.
 */
export async function openInThread(
  bytes: AsyncIterator<Uint8Array>,
  task: ReadingTask,
  signal?: AbortSignal,
): Promise<ContactFile & AsyncDisposable> {
  signal?.throwIfAborted()
  const thread = new ReadingThread(bytes, task, signal)
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
  readonly #worker: Worker
  readonly #bytes: AsyncIterator<Uint8Array>
  readonly #answers = new Inbox<Answer>()
  readonly #signal: AbortSignal | undefined

  constructor(bytes: AsyncIterator<Uint8Array>, task: ReadingTask, signal?: AbortSignal) {
    this.#bytes = bytes
    this.#signal = signal
    signal?.addEventListener('abort', this.#stop)
    this.#worker = new Worker(
      new URL(import.meta.resolve(`./reading-thread${extname(import.meta.url)}`)),
      { workerData: task, resourceLimits: LIMITS },
    )
    this.#worker
      .on('message', (message: FromReadingThread) => {
        if (message.kind === 'more') void this.#sendBytes()
        else this.#answers.put(message)
      })
      .on('error', (error) => this.#answers.fail(error))
      .on('exit', () => this.#answers.fail(new Error('the thread that read the file ended')))
  }

  async open(): Promise<OpenedFile> {
    const answer = await this.#answers.take()
    if (answer.kind === 'opened') return answer.file
    throw unexpected(answer)
  }

  async *rowBatches(extent: Extent | undefined): AsyncGenerator<ImportRow[], void> {
    for (let ahead = 0; ahead < BATCHES_AHEAD; ahead += 1) this.#send({ kind: 'next' })
    for (;;) {
      const answer = await this.#answers.take()
      if (answer.kind !== 'rows' && answer.kind !== 'end') throw unexpected(answer)
      this.columns = answer.columns
      if (answer.kind === 'end') return
      if (extent) extent.read = answer.read
      this.#send({ kind: 'next' })
      yield deserialize(answer.rows) as ImportRow[]
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#stop)
    await this.#worker.terminate()
    await this.#bytes.return?.()
  }

  /** It may parse a large workbook for minutes before its first row. */
  readonly #stop = (): void => {
    this.#answers.fail(this.#signal?.reason)
    void this.#worker.terminate()
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
    this.#worker.postMessage(message, transferred)
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
