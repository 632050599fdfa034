/**
 * MCPJam's OAuth conformance, of one revision: `node mcpjam-oauth.mjs <address of the endpoint> <revision>`. It prints
 * the address that a person has to go to, then every step that was not passed, then how many were. JavaScript, so that
 * the types of the repository do not need the package installed.
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
