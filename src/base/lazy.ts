/** For what is dear to make and seldom needed: a table, a formatter. The start does not pay for it. */

/** `make` is called when the value is first asked for, and only then. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
