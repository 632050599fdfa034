/** Raw HTTP/1.1 over a socket, for malformed requests and exact responses. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { HUNG_MS } from './hung.ts'

export interface WireAnswer {
  readonly status: number
  /** By lowercase name; repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export class Wire implements Disposable {
  readonly socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #ended = false
  #wake = () => {}

  static async open(port: number): Promise<Wire> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new Wire(socket)
  }

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, Buffer.from(chunk)])
      this.#wake()
    })
    socket.on('close', () => {
      this.#ended = true
      this.#wake()
    })
    socket.on('error', () => {}) // a reset counts as a close
  }

  send(bytes: string | Uint8Array): void {
    this.socket.write(bytes)
  }

  /** Reads the next response. A response to HEAD has no content. */
  async answer(method = 'GET'): Promise<WireAnswer> {
    const head = await this.#until(() => {
      const end = this.#received.indexOf('\r\n\r\n')
      return end < 0 ? undefined : this.#take(end + 4).toString('latin1')
    })
    const [statusLine = '', ...lines] = head.trimEnd().split('\r\n')
    const headers: Record<string, string> = {}
    for (const line of lines) {
      const at = line.indexOf(':')
      const name = line.slice(0, at).toLowerCase()
      const value = line.slice(at + 1).trim()
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
    }
    const status = Number(statusLine.split(' ')[1])
    const length = method === 'HEAD' || status < 200 ? 0 : Number(headers['content-length'] ?? 0)
    const body = await this.#until(() =>
      this.#received.byteLength < length ? undefined : this.#take(length).toString(),
    )
    return { status, headers, body }
  }

  /** Resolves once the server has closed the connection. Rejects if it sends more data before that. */
  async closed(): Promise<void> {
    await this.#until(() => (this.#ended ? true : undefined), true)
    if (this.#received.byteLength > 0)
      throw new Error(`bytes behind the answer: ${this.#received.toString('latin1')}`)
  }

  [Symbol.dispose](): void {
    this.socket.destroy()
  }

  #take(bytes: number): Buffer {
    const taken = this.#received.subarray(0, bytes)
    this.#received = this.#received.subarray(bytes)
    return taken
  }

  async #until<T>(look: () => T | undefined, atEnd = false): Promise<T> {
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      if (this.#ended && !atEnd) throw new Error('the server closed without a whole answer')
      await this.#news()
    }
  }

  /** Resolves with the next bytes or the end. */
  async #news(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const hung = setTimeout(() => reject(new Error('the connection hangs')), HUNG_MS)
    this.#wake = resolve
    await promise.finally(() => clearTimeout(hung))
  }
}

/** Sends one request on a new connection. */
export async function exchange(port: number, bytes: string | Uint8Array): Promise<WireAnswer> {
  using wire = await Wire.open(port)
  wire.send(bytes)
  const head = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('latin1')
  return await wire.answer(head.split(' ', 1)[0])
}

/** The bytes of a request, with a Content-Length unless `headers` overrides it. */
export function requestBytes(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string {
  const fields: Record<string, string> = { host: 'weft.test', ...headers }
  const framed = fields['content-length'] !== undefined || fields['transfer-encoding'] !== undefined
  if (body !== '' && !framed) fields['content-length'] = String(Buffer.byteLength(body))
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
