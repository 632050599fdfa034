/** Whether two lists have the same values in the same order. */
export function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return (
    one === other ||
    (one.length === other.length && one.every((value, index) => value === other[index]))
  )
}
