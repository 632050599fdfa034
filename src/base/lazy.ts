/** Defers values that are expensive to create and rarely used, such as tables and formatters. */

/** Returns a function that calls `make` on first use and returns the same value from then on. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
