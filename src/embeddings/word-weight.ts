/**
 * How much a word counts in a text: the rarer, the more (smooth inverse frequency; Arora, Liang, Ma, "A Simple but
 * Tough-to-Beat Baseline for Sentence Embeddings", ICLR 2017). How rare it is follows from its place by Zipf's law.
 */

/** The share of all words in English text that is the word at this place, of so many, the commonest at 0. */
export function shareOf(place: number, count: number): number {
  return 1 / ((place + 1) * harmonic(count))
}

export function weightOf(place: number, count: number): number {
  return SMOOTHING / (SMOOTHING + shareOf(place, count))
}

/** The least that the paper recommends; measured better here than ten times as much (bench/retrieval.ts). */
const SMOOTHING = 1e-4

/** 1 + 1/2 + … + 1/count, by its asymptotic series. */
function harmonic(count: number): number {
  return Math.log(count) + EULER + 1 / (2 * count)
}

const EULER = 0.577_215_664_9
