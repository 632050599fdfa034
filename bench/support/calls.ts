/** Tool calls as agents send them, in both eras, with typical searches. */

import { inventedPeople } from '../../test/support/invented.ts'
import type { PreparedRequest } from './wrk.ts'

export type Era = 'legacy' | 'modern'

/** The seed of the invented people who are imported and searched. */
export const SEED = 21

/** The number of different searches. */
const QUERIES = 2_000

export function callOf(era: Era, token: string, name: string, args: object): PreparedRequest {
  const modern = era === 'modern'
  const version = modern ? '2026-07-28' : '2025-11-25'
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return {
    method: 'POST',
    path: '/mcp',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      ...(modern && { 'mcp-method': 'tools/call', 'mcp-name': name }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args, ...(modern && { _meta: meta }) },
    }),
  }
}

/** Typical searches: whole names, prefixes of names, a company and a title, words of a title. */
export function queriesOf(people: number, seed = SEED): object[] {
  const everybody = inventedPeople(seed)
  const network = Array.from({ length: people }, () => everybody.next().value)
  return Array.from({ length: QUERIES }, (_, nth) => {
    const person = network[(nth * 7_919) % network.length]
    if (!person) throw new Error('no person')
    switch (nth % 4) {
      case 0:
        return { query: person.name }
      case 1:
        return { query: person.familyName.slice(0, 3 + (nth % 3)) }
      case 2:
        return { query: '', company: person.company, title: person.title.split(' ').at(-1) ?? '' }
      default:
        return { query: `${person.title} ${person.company}`.split(' ').slice(0, 3).join(' ') }
    }
  })
}
