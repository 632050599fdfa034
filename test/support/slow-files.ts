/** Which test files are slow: `node test/run.ts` shares them evenly among its processes, and `--fast` leaves them out. */

import { readFileSync } from 'node:fs'

/** Page tests, which wait for a browser more than they compute. */
const BROWSER_FOLDER = 'test/pages/'

/** Seconds of CPU time by file, of its processes and of the PostgreSQL server, on average over the engines. */
const SLOW: ReadonlyMap<string, number> = new Map(
  Object.entries(
    JSON.parse(readFileSync(new URL('slow-files.json', import.meta.url), 'utf8')) as Record<
      string,
      number
    >,
  ),
)

/** Seconds, about, of a file that is not listed. */
const UNLISTED = 0.3

/** Relative to the project's folder. */
export function slowFiles(): string[] {
  return [...SLOW.keys()]
}

/** CPU time, about. */
export function secondsOf(file: string): number {
  return SLOW.get(file) ?? UNLISTED
}

/** @param file - relative to the project's folder */
export function isFast(file: string): boolean {
  return !usesBrowser(file) && !SLOW.has(file)
}

/** @param file - relative to the project's folder */
export function usesBrowser(file: string): boolean {
  return file.startsWith(BROWSER_FOLDER)
}

/** Divides files into parts that take about equally long. Each part is sorted. */
export function inEqualParts(files: readonly string[], parts: number): string[][] {
  const shares = Array.from({ length: parts }, () => ({ files: [] as string[], seconds: 0 }))
  for (const file of files.toSorted((one, other) => secondsOf(other) - secondsOf(one))) {
    const least = shares.reduce((one, other) => (other.seconds < one.seconds ? other : one))
    least.files.push(file)
    least.seconds += secondsOf(file)
  }
  return shares.map((share) => share.files.toSorted())
}
