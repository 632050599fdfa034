/** Runs in a worker thread: reads contact files, one at a time, and computes the keys of their contacts. */

import { parentPort, type MessagePort } from 'node:worker_threads'
import { Inbox } from '../../base/inbox.ts'
import { threadErrorOf } from '../../base/thread-error.ts'
import { matchKeysOf } from '../../connections/model/match-keys.ts'
import { fingerprintKey } from '../../contact-files/contact/contact-keys.ts'
import type { ImportRow } from '../../contact-files/contact/contact.ts'
import { mappingLookup } from './column-mappings.ts'
import { openContactFile } from '../../contact-files/read-contacts.ts'
import { readOptions } from './read-options.ts'
import type {
  FromReadingThread,
  ReadingRequest,
  ReadingTask,
  ToReadingThread,
} from './reading-messages.ts'
import { encodeRows } from './row-batch.ts'
import { requestErrorOf } from './unreadable-error.ts'

parentPort?.on('message', ({ task, port }: ReadingRequest) => {
  void readFile(port, task).then(() => parentPort?.postMessage('finished'))
})

async function readFile(port: MessagePort, task: ReadingTask): Promise<void> {
  const [chunks, requests] = [new Inbox<Uint8Array | null>(), new Inbox<null>()]
  port.on('message', (message: ToReadingThread) => {
    if (message.kind === 'bytes') chunks.put(message.bytes)
    else requests.put(null)
  })
  const send = (message: FromReadingThread) =>
    port.postMessage(message, message.kind === 'rows' ? [message.rows.buffer] : [])
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (;;) {
      send({ kind: 'more' })
      const chunk = await chunks.take()
      if (chunk === null) return
      yield chunk
    }
  }
  try {
    await sendFile(bytes(), task, { send, isAsked: () => requests.take() })
  } catch (error) {
    send(threadErrorOf(requestErrorOf(error)))
  }
}

interface Receiver {
  readonly send: (message: FromReadingThread) => void
  /** Resolves when it asks for a batch. */
  readonly isAsked: () => Promise<unknown>
}

async function sendFile(
  bytes: AsyncIterable<Uint8Array>,
  { reading, mappings, done }: ReadingTask,
  { send, isAsked }: Receiver,
): Promise<void> {
  const file = await openContactFile(bytes, readOptions(reading, mappingLookup(mappings)))
  const { format, header, customFields, extent } = file
  send({
    kind: 'opened',
    file: { format, header, ...(customFields && { customFields }), ...(extent && { extent }) },
  })
  for await (const batch of file.rowBatches) {
    const rows = batch.filter(({ row }) => row > done).map((row) => withKeys(row))
    if (rows.length === 0) continue
    await isAsked()
    const read = extent?.read ?? 0
    send({ kind: 'rows', rows: encodeRows(rows), columns: file.columns(), read })
  }
  send({ kind: 'end', columns: file.columns() })
}

function withKeys(row: ImportRow): ImportRow {
  if (!('contact' in row)) return row
  const { contact } = row
  const fingerprint = fingerprintKey(contact, row.record)
  return { ...row, keys: { fingerprint, ...matchKeysOf(contact) } }
}
