/** Runs third-party checks against a private service. Prints one line per check; any failure fails the run. */

import process, { stdout } from 'node:process'
import { startTestService } from '../test/support/service.ts'
import { carddavclient } from './carddavclient.ts'
import { clients, pythonClient } from './clients.ts'
import { conformance } from './conformance.ts'
import { events } from './events.ts'
import { inspector, inspectorFromNothing } from './inspector.ts'
import { khal } from './khal.ts'
import { mcpjam } from './mcpjam.ts'
import { mcpRemote } from './mcp-remote.ts'
import { nuHtml } from './nu-html.ts'
import { addPerson } from './person.ts'
import { redocly } from './redocly.ts'
import { toolConformance } from './tool-conformance.ts'
import { tsdav } from './tsdav.ts'
import type { Judge, Verdict } from './judge.ts'

const JUDGES: readonly Judge[] = [
  inspector,
  inspectorFromNothing,
  clients,
  pythonClient,
  mcpRemote,
  mcpjam,
  conformance,
  toolConformance,
  events,
  khal,
  tsdav,
  carddavclient,
  redocly,
  nuHtml,
]

/** Characters. Only the end of longer output is printed. */
const MAX_MESSAGE_LENGTH = 4000

let [passed, failed, skippedChecks] = [0, 0, 0]
{
  await using service = await startTestService()
  const person = await addPerson(service)
  const judged = { service, person, endpoint: `${service.url}/mcp` }
  for (const judge of JUDGES)
    for await (const verdict of judge(judged)) {
      stdout.write(lineOf(verdict))
      if (verdict.skipped) skippedChecks += 1
      else if (verdict.content) passed += 1
      else failed += 1
    }
}
const others = skippedChecks === 0 ? '' : `, ${skippedChecks} skipped`
stdout.write(`judges: ${passed} passed, ${failed} failed${others}\n`)
process.exitCode = failed === 0 ? 0 : 1

function lineOf({ judge, content, skipped, says }: Verdict): string {
  if (skipped) return `skipped  ${judge}: ${says}\n`
  return content ? `passed   ${judge}\n` : `FAILED   ${judge}\n${says.slice(-MAX_MESSAGE_LENGTH)}\n`
}
