/** HAProxy in front of the nodes, as `deploy/haproxy.cfg` sets it up. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Proxy extends AsyncDisposable {
  readonly url: string
}

/** The response if no node answers. Clients treat it like any other outage and retry. */
const NO_NODE = [
  'HTTP/1.1 503 Service Unavailable',
  'content-type: text/plain',
  'retry-after: 1',
  'connection: close',
  '',
  'No node answered. Try again.\n',
].join('\r\n')

export async function startProxy(
  folder: string,
  port: number,
  nodePorts: readonly number[],
): Promise<Proxy> {
  const errors = join(folder, 'no-node.http')
  await writeFile(errors, NO_NODE)
  const nodes = nodePorts.map((nodePort, index) => `  server node${index} 127.0.0.1:${nodePort}`)
  const config = join(folder, 'haproxy.cfg')
  await writeFile(
    config,
    `global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout check 3s
  timeout client 60s
  timeout server 60s
  retries 2
  option redispatch
  errorfile 502 ${errors}
  errorfile 503 ${errors}
  errorfile 504 ${errors}
frontend all
  bind 127.0.0.1:${port}
  default_backend weft
backend weft
  balance roundrobin
  option httpchk GET /readyz
  default-server check inter 500ms fall 1 rise 1
${nodes.join('\n')}
`,
  )
  await chmod(folder, 0o755)
  const child = spawn('haproxy', ['-q', '-db', '-f', config], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  await untilListening(port)
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

const ATTEMPTS = 250

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await isListening(port)) return
    await sleep(20)
  }
  throw new Error(`nothing listens on port ${port}`)
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
