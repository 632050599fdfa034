/**
 * MCPJam's OAuth conformance checks for one revision: `node mcpjam-oauth.mjs <endpoint URL> <revision>`. Prints the URL
 * that a person has to open, then every step that did not pass, then the number of steps that did. It is JavaScript,
 * because the package is not installed where the repository's types are checked.
 */

import { stderr, stdout } from 'node:process'
import { OAuthConformanceTest } from '@mcpjam/sdk'

const [serverUrl, protocolVersion] = process.argv.slice(2)

const test = new OAuthConformanceTest({
  serverUrl,
  protocolVersion,
  registrationStrategy: 'dcr',
  oauthConformanceChecks: true,
  auth: { mode: 'interactive', openUrl: async (url) => void stderr.write(`${url}\n`) },
  verification: { listTools: true, callTool: { name: 'whoami', params: {} } },
})
const { passed, steps } = await test.run()
const others = steps.filter(({ status }) => status !== 'passed')
for (const { step, status, error } of others)
  stderr.write(`${status}: ${step}: ${error?.message ?? ''}\n`)
stdout.write(`${steps.length - others.length} of ${steps.length} steps\n`)
process.exitCode = passed && others.length === 0 ? 0 : 1
