/** weft serve: migrate, seed, and listen until stopped. */

import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND, systemClock } from '../base/clock.ts'
import { createLog } from '../base/log.ts'
import { describeDatabase } from '../db/database-address.ts'
import { readConfig, type Config } from '../config/config.ts'
import { createService, type Service } from '../service/service.ts'
import { readableLog } from './terminal/readable-log.ts'
import { commandLine, plural, print, type Terminal } from './terminal/terminal.ts'
import type { Command } from 'commander'
import type { DemoState } from '../acts/seed-demo.ts'

/** Busy clients send a request within this time, and learn from its response that the connection closes. */
const IDLE_GRACE_MS = SECOND / 2

interface ServeOptions {
  readonly jobs: boolean
}

export function addServeCommand(program: Command, terminal: Terminal): void {
  program
    .command('serve')
    .description('Run the service: migrates the database, seeds the demo account, listens')
    .option('--no-jobs', 'serve requests only; run jobs with `weft work`')
    .action((options: ServeOptions) => serve(terminal, options))
}

async function serve(terminal: Terminal, { jobs }: ServeOptions): Promise<void> {
  const settings = readConfig(terminal.environment)
  const config = jobs ? settings : { ...settings, jobConcurrency: 0 }
  const log = createLog(config.logLevel, readableLog(terminal))
  const stopped = new Promise<string>((resolve) => terminal.onStop(resolve))
  const deps = { clock: systemClock, log, idleGraceMs: IDLE_GRACE_MS }
  await using service = await createService(config, deps)
  service.start()
  const { port, metricsPort } = service
  print(terminal, welcome(terminal, config, service))
  log.info({ port, ...(metricsPort !== undefined && { metrics_port: metricsPort }) }, 'listening')
  log.info({ signal: await stopped }, 'stopping')
  service.drain()
  await sleep(config.drainSeconds * SECOND)
}

function welcome(terminal: Terminal, config: Config, service: Service): string {
  const { publicUrl: base, applied, demo } = service
  const status = [
    applied.length > 0
      ? `  database   ${describeDatabase(config.database)}, ${plural(applied.length, 'migration')} applied`
      : `  database   ${describeDatabase(config.database)}`,
    `  demo       ${DEMO[demo]}`,
  ]
  return `
Weft listens on ${base}

${status.join('\n')}
  profile    ${base}/api/human/demo
  directory  ${base}/api/network/members?q=climate
  agents     ${base}/mcp   (MCP; clients sign in with OAuth)

${nextSteps(terminal, service)}

Stop with Ctrl-C.`
}

const DEMO: Readonly<Record<DemoState, string>> = {
  created: 'created an account with 200 invented people',
  present: 'ready',
  deleted: 'deleted; create it again with `weft demo seed`',
  off: 'off (WEFT_DEMO)',
}

function nextSteps(terminal: Terminal, { firstLink, hasAdmin }: Service): string {
  if (firstLink !== undefined)
    return `Join as the first member with this link (single-use, valid for a day):\n  ${firstLink}`
  const next = `Next, in another terminal:
  ${commandLine(terminal, 'invite create')}               create an invitation link
  ${commandLine(terminal, 'import FILE --member NAME')}   import from LinkedIn, Google, Outlook or vCard`
  if (hasAdmin) return next
  return `No member is an admin yet, so no one can open /admin. In another terminal:
  ${commandLine(terminal, 'member promote NAME')}         make a member an admin

${next}`
}
