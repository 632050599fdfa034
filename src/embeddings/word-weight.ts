/**
 * The weight of a word in a text: rarer words weigh more (smooth inverse frequency; Arora, Liang, Ma, "A Simple but
 * Tough-to-Beat Baseline for Sentence Embeddings", ICLR 2017). The frequency of a word follows from its rank by Zipf's law.
 */

/** The relative frequency of the word with this rank among `count` words. The most frequent word has rank 0. */
export function shareOf(place: number, count: number): number {
  return 1 / ((place + 1) * harmonic(count))
}

export function weightOf(place: number, count: number): number {
  return SMOOTHING / (SMOOTHING + shareOf(place, count))
}

/** The lowest value that the paper recommends. Ten times as much gave worse results here (bench/search-quality.ts). */
const SMOOTHING = 1e-4

/** An approximation of 1 + 1/2 + … + 1/count by its asymptotic series. */
function harmonic(count: number): number {
  return Math.log(count) + EULER + 1 / (2 * count)
}

const EULER = 0.577_215_664_9
