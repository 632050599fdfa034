import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSealSecret } from './seal-secret.ts'

test('the key is the setting, or on SQLite a file that only its owner can read; PostgreSQL needs the setting', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-key-'))
  try {
    const database = { engine: 'sqlite' as const, path: join(folder, 'weft.db') }
    assert.equal(readSealSecret({ secretKey: 'given', database }), 'given')
    const created = readSealSecret({ secretKey: null, database })
    assert.ok(created.length >= 43)
    assert.equal(readSealSecret({ secretKey: null, database }), created)
    assert.equal((await stat(`${database.path}.key`)).mode & 0o777, 0o600)
    const postgres = { engine: 'postgres' as const, url: 'postgres://weft@localhost/weft' }
    assert.throws(() => readSealSecret({ secretKey: null, database: postgres }), /no key/)
  } finally {
    await rm(folder, { recursive: true })
  }
})
