/**
 * A TCP proxy that can drop all data: connections stay open, and nothing is forwarded in either direction. It can also
 * break connections at a stage of their life.
 */

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** `verifying`: Weft's first statements on a new connection. `active`: any other statement. */
export type ConnectionStage = 'connecting' | 'verifying' | 'idle' | 'active'

export interface BlackHole extends AsyncDisposable {
  /** The same database, through the proxy. */
  readonly url: string
  /** Forwards the next COMMIT of a transaction, and drops the response and everything after it on that connection. */
  swallowAfterCommit(): void
  /** Stops forwarding. Data and new connections are accepted, and the data is dropped. */
  swallow(): void
  /**
   * Closes every connection that is at this stage now or reaches it later, until `forward` is called. Lets so many messages
   * of the stage pass first.
   */
  breakAt(stage: ConnectionStage, passing?: number): void
  /** Forwards new connections again. Connections from before stay dead, as after a failover. */
  forward(): void
}

/** Starts a proxy to the PostgreSQL server of `url`, on its socket or port. */
export async function startBlackHole(url: string): Promise<BlackHole> {
  const sockets = new Set<Socket>()
  const pairs = new Set<readonly [Socket, Socket]>()
  let isSwallowing = false
  let isAwaitingCommit = false
  let breaking: ConnectionStage | undefined
  let passing = 0
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }
  // Half-open, because a FIN that was dropped is not answered.
  const server = createServer({ allowHalfOpen: true }, (near) => {
    keep(near)
    if (isSwallowing) {
      near.resume()
      return
    }
    const far = connectTo(url)
    keep(far)
    const pair = [near, far] as const
    pairs.add(pair)
    if (breaking === 'connecting') {
      near.destroy()
      return
    }
    near.on('data', (sent: Buffer) => {
      if (breaking !== undefined && breaking === stageOf(sent) && (passing -= 1) < 0)
        far.write(sent, () => near.destroy())
      if (!isAwaitingCommit || !sent.includes(COMMIT)) return
      isAwaitingCommit = false
      pairs.delete(pair)
      far.write(sent)
      cut(near, far)
    })
    join(near, far, () => pairs.delete(pair))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: throughPort(url, (server.address() as AddressInfo).port),
    swallowAfterCommit() {
      isAwaitingCommit = true
    },
    swallow() {
      isSwallowing = true
      for (const [near, far] of pairs) cut(near, far)
      pairs.clear()
    },
    breakAt(stage, messages = 0) {
      breaking = stage
      passing = messages
      if (stage === 'idle') for (const [near] of pairs) near.destroy()
    },
    forward() {
      isSwallowing = false
      breaking = undefined
    },
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

/** A simple query (PostgreSQL, chapter 55.7). */
const COMMIT = 'commit\0'

/** Only statements of type `Q` and `P` are recognized, and the text of the first one on a connection. */
function stageOf(sent: Buffer): ConnectionStage | undefined {
  if (sent.includes('transaction_read_only')) return 'verifying'
  return sent[0] === 0x51 || sent[0] === 0x50 || sent[0] === 0x42 ? 'active' : undefined
}

function join(near: Socket, far: Socket, ended: () => void): void {
  near.pipe(far)
  far.pipe(near)
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const)
    one.on('close', () => {
      ended()
      other.destroy()
    })
}

/** Keeps both ends open, and reads and drops their data. */
function cut(near: Socket, far: Socket): void {
  for (const one of [near, far]) {
    one.unpipe()
    one.removeAllListeners('close')
    one.resume()
  }
}

function connectTo(url: string): Socket {
  const { hostname, port, searchParams } = new URL(url)
  const folder = searchParams.get('host')
  const number = Number(port || 5432)
  return folder?.startsWith('/') === true
    ? connect(`${folder}/.s.PGSQL.${number}`)
    : connect(number, folder ?? hostname)
}

function throughPort(url: string, port: number): string {
  const address = new URL(url)
  address.searchParams.delete('host')
  address.hostname = '127.0.0.1'
  address.port = String(port)
  return address.href
}
