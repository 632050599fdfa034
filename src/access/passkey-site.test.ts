import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passkeySite } from './passkey-site.ts'

test('passkeys work for host names over https, and for localhost', () => {
  const sites = [
    ['https://weft.example.org', { rpId: 'weft.example.org', origin: 'https://weft.example.org' }],
    ['https://weft.example.org:8443', 'weft.example.org'],
    ['http://localhost:8787', 'localhost'],
    ['http://weft.localhost', 'weft.localhost'],
    ['http://weft.example.org', undefined],
    ['http://127.0.0.1:8787', undefined],
    ['https://192.0.2.1', undefined],
    ['https://[::1]:8787', undefined],
  ] as const
  for (const [publicUrl, expected] of sites) {
    const site = passkeySite(publicUrl)
    assert.deepEqual(typeof expected === 'object' ? site : site?.rpId, expected, publicUrl)
  }
})
