/** Lists of the second values of pairs, by their first ones. Both keep their order. */
export function listsBy<Key, Value>(
  pairs: Iterable<readonly [key: Key, value: Value]>,
): Map<Key, Value[]> {
  const lists = new Map<Key, Value[]>()
  for (const [key, value] of pairs) {
    const list = lists.get(key)
    if (list) list.push(value)
    else lists.set(key, [value])
  }
  return lists
}
