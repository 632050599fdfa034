import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hash } from 'node:crypto'
import { KeyFilter } from './key-filter.ts'

function keys(count: number, kind: string): string[] {
  return Array.from(
    { length: count },
    (_, index) => kind + hash('sha256', String(index), 'base64url').slice(0, 11),
  )
}

test('a filter has every key that was added, alone or with others, and hardly any other key', () => {
  const filter = new KeyFilter()
  const [alone, together] = [keys(3000, 'n'), keys(3000, 'e')]
  for (const key of alone) filter.add(key)
  filter.addAll(together.join(' '))
  filter.addAll('')
  assert.ok([...alone, ...together].every((key) => filter.mayHave(key)))
  const others = keys(10_000, 'u').filter((key) => filter.mayHave(key))
  assert.ok(others.length < 5, `${others.length} of 10,000 other keys`)
})
