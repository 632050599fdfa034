/** weft work: run jobs without serving requests, until stopped. */

import { systemClock } from '../base/clock.ts'
import { createLog } from '../base/log.ts'
import { describeDatabase } from '../db/database-address.ts'
import { readConfig } from '../config/config.ts'
import { startWorking } from '../service/work.ts'
import { readableLog } from './terminal/readable-log.ts'
import { print, type Terminal } from './terminal/terminal.ts'
import type { Command } from 'commander'

export function addWorkCommand(program: Command, terminal: Terminal): void {
  program
    .command('work')
    .description('Run jobs only, next to any number of other processes on the same database')
    .action(() => work(terminal))
}

async function work(terminal: Terminal): Promise<void> {
  const config = readConfig(terminal.environment)
  const log = createLog(config.logLevel, readableLog(terminal))
  const stopped = new Promise<string>((resolve) => terminal.onStop(resolve))
  await using working = await startWorking(config, { clock: systemClock, log })
  const { database, jobConcurrency } = config
  const { metricsPort } = working
  print(terminal, `Weft runs jobs from ${describeDatabase(database)}, ${jobConcurrency} at a time`)
  if (metricsPort !== undefined) log.info({ metrics_port: metricsPort }, 'listening')
  log.info({ signal: await stopped }, 'stopping')
  working.drain()
}
