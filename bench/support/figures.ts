/** The results of a benchmark: figures with units and optional targets, and their table. */

export interface Figure {
  readonly name: string
  readonly value: string
  /** The baseline and the ratio to it. */
  readonly ratio?: string
  readonly aim?: string
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** `1,234` and, for several rounds, their range. */
export function spread(values: readonly number[], unit: string): string {
  const [least, most] = [Math.min(...values), Math.max(...values)].map(count)
  return `${count(median(values))} ${unit}${values.length > 1 ? ` [${least}..${most}]` : ''}`
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en')
}

/** The median of the ratios of each round, because a slow round slows both sides. */
export function ratioOf(values: readonly number[], others: readonly number[]): number {
  return median(values.map((value, round) => value / (others[round] ?? Number.NaN)))
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function printFigures(title: string, figures: readonly Figure[]): void {
  const rows = figures.map(({ name, value, ratio = '', aim = '' }) => [name, value, ratio, aim])
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  print(`\n${title}`)
  for (const row of rows)
    print(`  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
}

/** A benchmark module. Run directly it prints its own table; `bench/run.ts` prints all tables. */
export interface Benchmark {
  readonly title: string
  readonly measure: () => Promise<Figure[]>
}
