/** The index of the first number from `from` on that is not smaller; `until` if all are. The numbers between ascend. */
export function firstNotBelow(
  numbers: Uint32Array,
  value: number,
  from = 0,
  until = numbers.length,
): number {
  let [low, high] = [from, until]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
