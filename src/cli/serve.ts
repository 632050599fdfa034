/** weft serve: migrate, seed, listen, until asked to stop. */

import { systemClock } from '../base/clock.ts'
import { createLog } from '../base/log.ts'
import { describeDatabase } from '../db/engines/open.ts'
import { readConfig, type Config } from '../service/config.ts'
import { createService } from '../service/service.ts'
import { print, type Terminal } from './terminal.ts'
import type { Command } from 'commander'
import type { DemoState } from '../service/seed-demo.ts'
import type { Service } from '../service/service.ts'

interface ServeOptions {
  readonly jobs: boolean
}

export function addServeCommand(program: Command, terminal: Terminal): void {
  program
    .command('serve')
    .description('Run the service: migrates the database, seeds the demo account, listens')
    .option('--no-jobs', 'run no jobs here: processes of `weft work` do')
    .action((options: ServeOptions) => serve(terminal, options))
}

async function serve(terminal: Terminal, { jobs }: ServeOptions): Promise<void> {
  const settings = readConfig(terminal.environment)
  const config = jobs ? settings : { ...settings, jobConcurrency: 0 }
  const log = createLog(config.logLevel)
  const stopped = new Promise<string>((resolve) => terminal.onStop(resolve))
  await using service = await createService(config, { clock: systemClock, log })
  service.start()
  const { port } = service
  print(terminal, welcome(config, service))
  log.info({ port }, 'listening')
  log.info({ signal: await stopped }, 'stopping')
}

function welcome(config: Config, service: Service): string {
  const { publicUrl: base, applied, demo } = service
  const news = [
    applied.length > 0
      ? `  database   ${describeDatabase(config.database)}, ${applied.length} migration(s) applied`
      : `  database   ${describeDatabase(config.database)}`,
    `  demo       ${DEMO[demo]}`,
  ]
  return `
Weft listens on ${base}

${news.join('\n')}
  profile    ${base}/api/human/demo
  directory  ${base}/api/network/members?q=climate
  agents     ${base}/mcp   (MCP; clients sign in by OAuth)

${nextSteps(service)}

Stop with Ctrl-C.`
}

const DEMO: Readonly<Record<DemoState, string>> = {
  created: 'an account with 200 invented people was created',
  present: 'the demo account exists',
  deleted: 'deleted; `weft demo seed` creates it again',
}

function nextSteps({ firstLink, hasAdmin }: Service): string {
  if (firstLink !== undefined)
    return `You are the first. Join here, once, within a day:\n  ${firstLink}`
  return hasAdmin ? AND_NEXT : `${NO_ADMIN}\n\n${AND_NEXT}`
}

const NO_ADMIN = `No member is an admin yet, so no one can open /admin. In another terminal:
  npm run weft -- member promote NAME         make a member an admin`

const AND_NEXT = `Next, in another terminal:
  npm run weft -- invite create               a link for somebody to join with
  npm run weft -- import FILE --member NAME   contacts from LinkedIn, Google, Outlook or vCard`
