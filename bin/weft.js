#!/usr/bin/env node
// What `weft` and `npm start` run. Plain JavaScript that Node releases of many years can read, so that one too old is
// told in a sentence; src/main.ts is the program.

const OLDEST = [24, 11]

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `Weft needs Node ${OLDEST.join('.')} or newer; this is Node ${process.versions.node}.\n` +
      'Run `npm ci`, then start Weft with `npm start`: that brings a newer Node along.\n',
  )
  process.exitCode = 1
} else {
  try {
    await import(new URL('../src/main.ts', import.meta.url).href)
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error
    process.stderr.write(
      'A package that Weft needs is not installed. Run `npm ci` in its folder.\n',
    )
    process.exitCode = 1
  }
}
