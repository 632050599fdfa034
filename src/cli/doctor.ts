/** weft doctor: checks the installation and says what to do about each finding. */

import { systemClock } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { diagnose } from '../operate/doctor.ts'
import { plural, print, say, type Terminal } from './terminal/terminal.ts'
import type { Command } from 'commander'
import type { Finding } from '../operate/doctor-finding.ts'

export function addDoctorCommand(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('Check the installation and say what to do about each finding')
    .option('--json', 'as JSON lines')
    .addHelpText(
      'after',
      `
Checks settings, the public URL, the mail server, the embeddings endpoint, clocks, disk, permissions, Redis, backups, the
roles and connections of PostgreSQL, migrations, integrity, ledgers, jobs, emails and calendars.
The exit code is 1 if there is an error, and 0 if there are only warnings.`,
    )
    .action((options: { json?: true }) => runDoctor(terminal, options.json === true))
}

async function runDoctor(terminal: Terminal, asJson: boolean): Promise<void> {
  const findings = await diagnose(terminal.environment, systemClock, (message) =>
    say(terminal, `${message} …`),
  )
  for (const finding of findings)
    print(terminal, asJson ? JSON.stringify(finding) : describe(finding))
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.filter(({ severity }) => severity === 'warning').length
  if (errors > 0)
    throw new RequestError(
      'conflict',
      `${plural(errors, 'error')}, ${plural(warnings, 'warning')}.`,
    )
  if (!asJson)
    print(terminal, warnings === 0 ? 'No problems found.' : `${plural(warnings, 'warning')}.`)
}

const LABELS = { ok: 'ok     ', warning: 'warning', error: 'error  ' } as const

function describe({ check, severity, message, fix }: Finding): string {
  const first = `${LABELS[severity]}  ${check}: ${message}`
  return fix === undefined ? first : `${first}\n         ${fix}`
}
