/** The index of the first number that is not smaller; the length if all are. The numbers ascend. */
export function firstNotBelow(numbers: Uint32Array, value: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
