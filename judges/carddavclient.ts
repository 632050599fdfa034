/**
 * The interoperability tests of carddavclient, the CardDAV library of Roundcube. Skipped without PHP and a checkout of
 * mstilkerich/carddavclient after `composer install`, whose folder is in `CARDDAVCLIENT`.
 */

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { openDevice } from '../test/fixtures/dav-device.ts'
import { startTestService } from '../test/support/service.ts'
import type { Verdict } from './judge.ts'

const run = promisify(execFile)

export async function* carddavclient(): AsyncGenerator<Verdict> {
  const judge = 'carddavclient: discovery, sync and queries'
  const checkout = env['CARDDAVCLIENT'] ?? ''
  if (checkout === '') {
    const says = 'CARDDAVCLIENT does not name a checkout of mstilkerich/carddavclient'
    yield { judge, content: true, skipped: true, says }
    return
  }
  await using service = await startTestService({ davBurst: null })
  const device = await openDevice(service, await service.addMember())
  const folder = await mkdtemp(join(tmpdir(), 'weft-carddavclient-'))
  try {
    // The tests read the servers from a file beside them, and write their log into the folder.
    await cp(checkout, folder, { recursive: true, verbatimSymlinks: true })
    await mkdir(join(folder, 'testreports/interop'), { recursive: true })
    await writeFile(
      join(folder, 'tests/Interop/AccountData.php'),
      accountData(service.url, device.book),
    )
    const [username, password] = device.credentials
    const { stdout } = await run(join(folder, 'vendor/bin/phpunit'), OPTIONS, {
      cwd: folder,
      env: { ...env, WEFT_USER: username, WEFT_PASSWORD: password },
    })
    const [summary = ''] = /^OK .*$/m.exec(stdout) ?? []
    yield { judge: `${judge}: ${summary}`, content: summary !== '', says: stdout }
  } catch (error) {
    yield { judge, content: false, says: `${String(error)}\n${outputOf(error)}` }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const OPTIONS = [
  '--bootstrap=vendor/autoload.php',
  '--configuration=tests/Interop/phpunit.xml',
  '--no-coverage',
  '--no-logging',
]

/** The tests that ran, which a failed process printed. */
function outputOf(error: unknown): string {
  return error instanceof Error && 'stdout' in error ? String(error.stdout) : ''
}

/** A server with all features and none of the defects that the tests know. */
function accountData(url: string, book: string): string {
  const features = ['SYNCCOLL', 'MULTIGET', 'CTAG', 'PARAMFILTER', 'FILTER_ALLOF', 'RESULTLIMIT']
    .concat('ABOOKQUERY_PARTIALCARDS')
    .map((name) => `TestInfrastructureSrv::FEAT_${name}`)
  return `<?php
declare(strict_types=1);
namespace MStilkerich\\Tests\\CardDavClient\\Interop;
final class AccountData
{
    public const ACCOUNTS = ['Weft' => [
        'username' => '%WEFT_USER%', 'password' => '%WEFT_PASSWORD%', 'discoveryUri' => '${url}/',
        'syncAllowExtraChanges' => false, 'featureSet' => ${features.join(' | ')},
    ]];
    public const ADDRESSBOOKS = ['Weft' => [
        'account' => 'Weft', 'url' => '${url}${book}', 'displayname' => 'Weft', 'description' => 'Weft',
    ]];
}
`
}
