/**
 * Collects what arrives in one turn of the event loop and runs it at the end of the turn.
 *
 * Asynchronous work that starts together proceeds in step: each step runs for all items in a row, while its code and data
 * are in the CPU caches. Started one by one, each item would run through all of the code and evict it before the next
 * (decisions/0067).
 */

/** `run` must not throw: the items after it would be lost. */
export function atEndOfTurn<Item>(run: (item: Item) => void): (item: Item) => void {
  let batch: Item[] = []
  const runBatch = () => {
    const items = batch
    batch = []
    for (const item of items) run(item)
  }
  return (item) => {
    if (batch.length === 0) setImmediate(runBatch)
    batch.push(item)
  }
}
