/** Overlaps reading with the work on what was read. */

/** The same values; the next one is read while the caller works on the last one. */
export async function* readAhead<T>(values: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  try {
    let ahead = values.next()
    for (;;) {
      const { done, value } = await ahead
      if (done === true) return
      ahead = values.next()
      // Awaited above, unless the caller stops first.
      ahead.catch(() => {})
      yield value
    }
  } finally {
    await values.return()
  }
}
