/** weft migrate: migrate the database without starting the service. */

import { systemClock } from '../base/clock.ts'
import { migrateDatabase } from '../db/engines/open.ts'
import { readConfig } from '../config/config.ts'
import { print, type Terminal } from './terminal/terminal.ts'
import type { Command } from 'commander'

export function addMigrateCommand(program: Command, terminal: Terminal): void {
  program
    .command('migrate')
    .description('Migrate the database to the newest schema')
    .action(async () => {
      const { database } = readConfig(terminal.environment)
      const applied = await migrateDatabase(database, systemClock)
      const done = applied.map((name) => `applied ${name}`)
      print(terminal, done.length > 0 ? done.join('\n') : 'The schema is up to date.')
    })
}
