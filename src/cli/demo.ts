/** weft demo: the demo account. */

import { seedDemo } from '../service/seed-demo.ts'
import { say, type Terminal } from './terminal.ts'
import { withDatabase } from './with-database.ts'
import type { Command } from 'commander'

export function addDemoCommands(program: Command, terminal: Terminal): void {
  const demo = program.command('demo').description('The demo account')
  demo
    .command('seed')
    .description('Make the demo account with its 200 invented people, if it is not there')
    .action(() =>
      withDatabase(terminal, async ({ database, now }) => {
        const seeded = await seedDemo(database, now)
        say(terminal, seeded ? 'Made the demo account.' : 'The demo account is there already.')
      }),
    )
}
