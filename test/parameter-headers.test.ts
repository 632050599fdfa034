/** Parameters mirrored into headers: how they are found and compared. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkParameterHeaders, parameterHeadersOf } from './support/parameter-headers.ts'

const PARAMETERS = parameterHeadersOf({
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    plain: { type: 'string' },
    inner: { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'N' } } },
    on: { type: 'boolean', 'x-mcp-header': 'On' },
    list: { type: 'array', items: { type: 'string', 'x-mcp-header': 'Never' } },
  },
})

function isRefused(headers: Readonly<Record<string, string>>, given: unknown): boolean {
  return checkParameterHeaders((name) => headers[name], PARAMETERS, given)?.code === -32020
}

test('`x-mcp-header` is found at any depth of `properties`, and nowhere else', () => {
  assert.deepEqual(PARAMETERS, [
    { header: 'mcp-param-region', path: ['region'] },
    { header: 'mcp-param-n', path: ['inner', 'n'] },
    { header: 'mcp-param-on', path: ['on'] },
  ])
})

test('a header must equal its argument; numbers are compared as numbers', () => {
  const agreeing: [Record<string, string>, object][] = [
    [{}, {}],
    [{}, { region: null, plain: 'x' }],
    [{ 'mcp-param-region': 'us-west1' }, { region: 'us-west1' }],
    [{ 'mcp-param-region': '=?base64?R3LDvMOf?=' }, { region: 'Grüß' }],
    [{ 'mcp-param-n': '42.0' }, { inner: { n: 42 } }],
    [{ 'mcp-param-on': 'true' }, { on: true }],
  ]
  for (const [headers, given] of agreeing) assert.equal(isRefused(headers, given), false)
  const differing: [Record<string, string>, unknown][] = [
    [{}, { region: 'us-west1' }],
    [{ 'mcp-param-region': 'us-west1' }, {}],
    [{ 'mcp-param-region': 'us-west1' }, 'no object'],
    [{ 'mcp-param-region': 'US-WEST1' }, { region: 'us-west1' }],
    [{ 'mcp-param-region': '=?base64?R3LDvMO?=' }, { region: 'Grüß' }],
    [{ 'mcp-param-n': '' }, { inner: { n: 0 } }],
    [{ 'mcp-param-on': 'True' }, { on: true }],
  ]
  for (const [headers, given] of differing) assert.equal(isRefused(headers, given), true)
})
