/**
 * Builds `dist/` for the npm package: JavaScript from `src/` by tsc, and the files that the code reads at run time.
 * `npm pack` and `npm publish` run it.
 */

import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const SOURCE = join(ROOT, 'src')
const OUTPUT = join(ROOT, 'dist')

/** Every other file is read at run time: style sheets, scripts, icons, migrations, word vectors, skills, apps, data. */
const SOURCE_FILE = /\.(?:ts|wat)$/

rmSync(OUTPUT, { recursive: true, force: true })
execFileSync(
  process.execPath,
  [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
  {
    cwd: ROOT,
    stdio: 'inherit',
  },
)
cpSync(SOURCE, OUTPUT, {
  recursive: true,
  filter: (path) => !SOURCE_FILE.test(path),
})
