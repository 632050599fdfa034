/** How much a match in each field counts. */

/** By field number. A prefix in a name outranks a whole word in a note: see `FACTOR`. */
export const FIELD_WEIGHTS: Readonly<Uint8Array> = Uint8Array.from([
  100, 100, 100, 100, 60, 60, 50, 50, 45, 25, 40, 30, 45, 45, 60, 0,
])
