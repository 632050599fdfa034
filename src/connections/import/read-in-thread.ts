/** Reads a contact file in a worker thread, so that a large import leaves the main thread to others and to its writes. */

import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads'
import { Inbox } from '../../base/inbox.ts'
import { errorOf } from '../../base/thread-error.ts'
import { keepThread, takeThread } from './reading-threads.ts'
import { decodeRows } from './row-batch.ts'
import type { ImportRow } from '../model/contact.ts'
import { oneByOne, type ContactFile, type Extent } from './formats/contact-file.ts'
import type { FileColumn } from './formats/file-columns.ts'
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

type Answer = Exclude<FromReadingThread, { readonly kind: 'more' }>

/**
 * Opens the file in a thread, which is free again when the result is disposed or `signal` aborts. The rows have the keys of
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
  /** Of this file alone, so that the next one gets no late messages. */
  readonly #port: MessagePort
  readonly #bytes: AsyncIterator<Uint8Array>
  readonly #answers = new Inbox<Answer>()
  readonly #signal: AbortSignal | undefined
  /** Whether the thread has read the file to the end and can read another. */
  #hasEnded = false

  constructor(bytes: AsyncIterator<Uint8Array>, task: ReadingTask, signal?: AbortSignal) {
    this.#bytes = bytes
    this.#signal = signal
    signal?.addEventListener('abort', this.#stop)
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    port1.on('message', (message: FromReadingThread) => {
      if (message.kind === 'more') void this.#sendBytes()
      else this.#answers.put(message)
    })
    this.#worker = takeThread().on('error', this.#fail).on('exit', this.#exit)
    this.#worker.postMessage({ task, port: port2 } satisfies ReadingRequest, [port2])
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
      if (answer.kind === 'end') {
        this.#hasEnded = true
        return
      }
      if (extent) extent.read = answer.read
      this.#send({ kind: 'next' })
      yield decodeRows(answer.rows)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#stop)
    this.#port.close()
    this.#worker.off('error', this.#fail).off('exit', this.#exit)
    if (this.#hasEnded) keepThread(this.#worker)
    else await this.#worker.terminate()
    await this.#bytes.return?.()
  }

  readonly #fail = (error: Error): void => this.#answers.fail(error)

  readonly #exit = (): void => {
    this.#hasEnded = false
    this.#answers.fail(new Error('the thread that read the file ended'))
  }

  /** It may parse a large workbook for minutes before its first row. */
  readonly #stop = (): void => {
    this.#hasEnded = false
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
