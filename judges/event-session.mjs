/**
 * An agent with @ai-sdk/mcp that subscribes to the end of imports. Prints each event that its receiver accepts, and ends
 * after the first one. Arguments: the tool endpoint, a token, the port of the receiver.
 */

import { createServer } from 'node:http'
import { argv, stdout } from 'node:process'
import { experimental_createMCPClient, experimental_createMCPEventWebhook } from '@ai-sdk/mcp'

const [, , endpoint, token, port] = argv

const subscriptions = new Map()
const store = {
  get: async (key) => subscriptions.get(key),
  getById: async (id) => [...subscriptions.values()].find((one) => one.id === id),
  set: async (one) => void subscriptions.set(one.key, one),
  update: async (key, patch) =>
    void subscriptions.set(key, { ...subscriptions.get(key), ...patch }),
  delete: async (key) => void subscriptions.delete(key),
}

let arrived
const event = new Promise((resolve) => (arrived = resolve))
const receive = experimental_createMCPEventWebhook({
  store,
  onEvent: async (one) => arrived(one),
  onError: (error) => stdout.write(`receiver: ${String(error)}\n`),
})
const site = createServer((request, response) => {
  void answer(request, response)
})
await new Promise((resolve) => site.listen(Number(port), '127.0.0.1', resolve))

async function answer(request, response) {
  // It has no document about itself at /.well-known/mcp-webhook-receiver.json.
  if (request.method !== 'POST') return response.writeHead(404).end()
  const chunks = await Array.fromAsync(request)
  const received = await receive(
    new Request(`http://127.0.0.1:${port}${request.url}`, {
      method: request.method,
      headers: request.headers,
      body: Buffer.concat(chunks),
    }),
  )
  response.writeHead(received.status, Object.fromEntries(received.headers))
  return response.end(Buffer.from(await received.arrayBuffer()))
}

const client = await experimental_createMCPClient({
  transport: { type: 'http', url: endpoint, headers: { authorization: `Bearer ${token}` } },
  experimental_events: { store },
})
const { events } = await client.experimental_events.list()
stdout.write(`events: ${events.map(({ name }) => name).join(' ')}\n`)
const subscribed = await client.experimental_events.subscribe({
  name: 'import.finished',
  delivery: {
    mode: 'webhook',
    url: `http://127.0.0.1:${port}/events`,
    allowInsecureLocalhost: true,
  },
})
await client.experimental_events.refresh({ id: subscribed.id })
stdout.write(`subscribed: ${subscribed.id}\n`)
const { event: first, subscription } = await event
stdout.write(`event: ${first.name} ${JSON.stringify(first.data)} for ${subscription.id}\n`)
await client.experimental_events.unsubscribe({ id: subscribed.id })
await client.close()
site.close()
site.closeAllConnections()
