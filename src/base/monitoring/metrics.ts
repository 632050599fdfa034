/**
 * Counters, gauges and histograms in the Prometheus text format (version 0.0.4). Label names are fixed per metric, and label
 * values come from our own code, so their number is bounded (decisions/0030).
 */

export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

interface MetricDefinition<Label extends string = string> {
  /** With its base unit, such as `weft_commit_duration_seconds`. The name of a counter ends in `_total`. */
  readonly name: string
  readonly help: string
  readonly labels?: readonly Label[]
}

type Labels<Label extends string> = Readonly<Record<Label, string>>

/** One value, measured when the metrics are read. */
interface Sample<Label extends string = string> {
  readonly value: number
  readonly labels?: Labels<Label>
}

interface Counter<Label extends string> {
  add(labels: Labels<Label>, value?: number): void
}

interface Histogram<Label extends string> {
  /** In the unit of the metric. */
  observe(labels: Labels<Label>, value: number): void
}

/** Reads the current values of a metric. A metric whose read fails is omitted. */
type ReadSamples<Label extends string> = () =>
  | readonly Sample<Label>[]
  | Promise<readonly Sample<Label>[]>

/** From a cache hit to the longest request that a client waits for. Seconds. */
const DURATION_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
] as const

interface Family {
  readonly definition: MetricDefinition
  readonly type: 'counter' | 'gauge' | 'histogram'
  lines(): Promise<string[]>
}

export class Metrics {
  readonly #families: Family[] = []

  counter<const Label extends string = never>(definition: MetricDefinition<Label>): Counter<Label> {
    const values = new Map<string, number>()
    const textOf = labelWriter(definition.labels)
    this.#add(definition, 'counter', () =>
      [...values].map(([labels, value]) => sampleLine(definition.name, labels, value)),
    )
    return {
      add(labels, value = 1) {
        const key = textOf(labels)
        values.set(key, (values.get(key) ?? 0) + value)
      },
    }
  }

  histogram<const Label extends string = never>(
    definition: MetricDefinition<Label>,
    buckets: readonly number[] = DURATION_BUCKETS,
  ): Histogram<Label> {
    const series = new Map<string, Distribution>()
    const textOf = labelWriter(definition.labels)
    this.#add(definition, 'histogram', () =>
      [...series].flatMap(([labels, one]) => histogramLines(definition.name, labels, buckets, one)),
    )
    return {
      observe(labels, value) {
        const key = textOf(labels)
        let one = series.get(key)
        if (!one) {
          one = { counts: buckets.map(() => 0), count: 0, sum: 0 }
          series.set(key, one)
        }
        record(one, buckets, value)
      },
    }
  }

  observed<const Label extends string = never>(
    definition: MetricDefinition<Label> & {
      readonly type: 'counter' | 'gauge'
      readonly read: ReadSamples<Label>
    },
  ): void {
    const { name, type, labels: names, read } = definition
    const textOf = labelWriter(names)
    this.#add(definition, type, async () =>
      (await read()).map(({ labels, value }) =>
        sampleLine(name, labels ? textOf(labels) : '', value),
      ),
    )
  }

  /** Everything in the text format. `onError` receives the failures of single metrics. */
  async text(onError: (error: unknown) => void = () => {}): Promise<string> {
    const families = await Promise.all(
      this.#families.map(async (family) => {
        const { name, help } = family.definition
        try {
          return [
            `# HELP ${name} ${escapeHelp(help)}`,
            `# TYPE ${name} ${family.type}`,
            ...(await family.lines()),
          ]
        } catch (error) {
          onError(error)
          return []
        }
      }),
    )
    return `${families.flat().join('\n')}\n`
  }

  #add(
    definition: MetricDefinition,
    type: Family['type'],
    lines: () => string[] | Promise<string[]>,
  ): void {
    if (this.#families.some((family) => family.definition.name === definition.name))
      throw new TypeError(`the metric ${definition.name} exists`)
    this.#families.push({ definition, type, lines: async () => lines() })
  }
}

interface Distribution {
  /** By bucket, not cumulative. */
  readonly counts: number[]
  count: number
  sum: number
}

function record(one: Distribution, buckets: readonly number[], value: number): void {
  one.count += 1
  one.sum += value
  for (let index = 0; index < buckets.length; index++)
    if (value <= (buckets[index] ?? 0)) {
      one.counts[index] = (one.counts[index] ?? 0) + 1
      return
    }
}

function histogramLines(
  name: string,
  labels: string,
  buckets: readonly number[],
  { counts, count, sum }: Distribution,
): string[] {
  const prefix = labels === '' ? '' : `${labels},`
  let below = 0
  const lines = buckets.map((bucket, index) => {
    below += counts[index] ?? 0
    return sampleLine(`${name}_bucket`, `${prefix}le="${bucket}"`, below)
  })
  return [
    ...lines,
    sampleLine(`${name}_bucket`, `${prefix}le="+Inf"`, count),
    sampleLine(`${name}_sum`, labels, sum),
    sampleLine(`${name}_count`, labels, count),
  ]
}

/** Writes labels in the order of the definition, so that equal labels have equal texts. */
function labelWriter<Label extends string>(
  names: readonly Label[] = [],
): (labels: Labels<Label>) => string {
  return (labels) => {
    let text = ''
    for (const name of names)
      text += `${text === '' ? '' : ','}${name}="${escapeLabel(labels[name])}"`
    return text
  }
}

function sampleLine(name: string, labels: string, value: number): string {
  return labels === '' ? `${name} ${value}` : `${name}{${labels}} ${value}`
}

function escapeLabel(value: string): string {
  return /[\\"\n]/.test(value)
    ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
    : value
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}
