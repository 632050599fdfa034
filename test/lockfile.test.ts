import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import {
  missingOptionals,
  unverifiable,
  withoutPackages,
  type Lockfile,
} from '../scripts/lockfile.ts'

async function readLockfile(path: string): Promise<Lockfile> {
  return JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8')) as Lockfile
}

test('the lockfile has an entry for every optional package, so that npm ci works on every platform', async () => {
  const missing = missingOptionals(await readLockfile('../package-lock.json'))
  const paths = missing.map(({ path }) => path)
  assert.deepEqual(paths, [], 'run node scripts/complete-lockfile.ts')
})

test('npm can verify every package that it installs', async () => {
  for (const path of [
    '../package-lock.json',
    '../bench/package-lock.json',
    '../judges/package-lock.json',
  ]) {
    const lockfile = await readLockfile(path)
    const installed = unverifiable(lockfile).filter((name) => !isForOthers(lockfile, name))
    assert.deepEqual(installed, [], `run node scripts/complete-lockfile.ts (${path})`)
  }
})

/** A tool for development on another platform. Mirrors of the registry lack some; a release needs the hashes of these, too. */
function isForOthers({ packages }: Lockfile, path: string): boolean {
  const { dev, optional, os = [], cpu = [], libc = [] } = packages[path] ?? {}
  const isHere =
    os.includes('linux') && cpu.includes('x64') && (libc.length === 0 || libc.includes('glibc'))
  return dev === true && optional === true && os.length > 0 && !isHere
}

test('a package without a hash is found, and resolved again with those that ask for it', () => {
  const integrity = 'sha512-x'
  const lockfile: Lockfile = {
    packages: {
      '': {},
      'node_modules/tool': { integrity, optionalDependencies: { binary: '1.0.0' } },
      'node_modules/binary': { version: '1.0.0', optional: true },
      'node_modules/other': { integrity },
    },
  }
  assert.deepEqual(unverifiable(lockfile), ['node_modules/binary'])
  const { packages } = withoutPackages(lockfile, unverifiable(lockfile))
  assert.deepEqual(Object.keys(packages), ['', 'node_modules/other'])
})
