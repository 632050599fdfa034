/** SIGTERM under load: a client that keeps its connections alive sees no reset. */

import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import { createNodes, type Node } from './support/nodes.ts'

const CONNECTIONS = 40
const REQUESTS_BEFORE_STOP = 1000

interface Load {
  readonly answers: number
  /** The codes of errors on connections that were open before, which are resets; and of refused new ones. */
  readonly errors: readonly string[]
}

test('a node that is stopped answers the requests on open connections', async () => {
  await using nodes = await createNodes()
  const node = await nodes.start()
  const { errors, answers } = await loadUntilStopped(node)
  assert.ok(answers > REQUESTS_BEFORE_STOP)
  assert.deepEqual(
    errors.filter((code) => code !== 'ECONNREFUSED'),
    [],
  )
})

/** Each connection sends its next request when it has the response to the one before, until it is refused. */
async function loadUntilStopped(node: Node): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const errors: string[] = []
  let answers = 0
  let stopping: PromiseLike<void> | undefined
  const client = async () => {
    for (;;) {
      const error = await get(`${node.url}/api/human/demo`, agent)
      if (error !== undefined) {
        errors.push(error)
        return
      }
      answers += 1
      if (answers >= REQUESTS_BEFORE_STOP) stopping ??= node[Symbol.asyncDispose]()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  await stopping
  return { errors, answers }
}

/** Returns the code of the error. */
function get(url: string, agent: Agent): Promise<string | undefined> {
  return new Promise((resolve) => {
    const fail = (error: Error & { readonly code?: string }) => resolve(error.code ?? error.message)
    request(url, { agent }, (response) => {
      response.on('error', fail).on('end', () => resolve(undefined))
      response.resume()
    })
      .on('error', fail)
      .end()
  })
}
