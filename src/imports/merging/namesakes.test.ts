import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contact, openSharedWorld } from '../../../test/fixtures/network.ts'
import { emailKey } from '../../contact-files/contact/contact-keys.ts'
import { newState } from '../../connections/model/connection.ts'
import { emptyNetwork, newPerson, type MergedPerson } from './matched-people.ts'
import { addNameOf, namesakesOf } from './namesakes.ts'

const KEY = emailKey('info@acme.example')

/** A different pair of letters for each number up to 675. */
function letters(number: number): string {
  return String.fromCharCode(97 + Math.floor(number / 26), 97 + (number % 26))
}

function personNamed(name: string): MergedPerson {
  const { note: _note, labels: _labels, details: _details, ...fields } = contact({ name })
  const now = { ...newState(0, 1), ...fields, details: {}, source: 'google' as const }
  return newPerson({ people: [] }, { before: undefined, now })
}

test('of many people behind one mailbox, only those with a similar name are compared', () => {
  const network = emptyNetwork({ source: 'google', jobId: 1, now: 0 })
  const holders = Array.from({ length: 400 }, (_, at) =>
    personNamed(`Ann${letters(at)} Lee${letters(at % 100)}`),
  )
  const named = (name: string) =>
    namesakesOf(network, KEY, { contact: contact({ name }), holders }).map(({ now }) => now.name)
  assert.deepEqual(
    [...new Set(named('Annab Leeab'))],
    ['Annab Leeab', 'Anndx Leeab', 'Annht Leeab', 'Annlp Leeab'],
  )
  assert.deepEqual(named('Zoe Quist'), [])
  // Added and renamed people are found too.
  const [first] = holders
  holders.push(personNamed('Zoe Quist'))
  assert.equal(named('Quist, Zoe').includes('Zoe Quist'), true)
  assert.ok(first)
  first.now = { ...first.now, name: 'Zoe B. Quist' }
  addNameOf(network, first)
  assert.equal(named('Zoe Quist').includes('Zoe B. Quist'), true)
  for (let at = 401; at < 800; at += 1) holders.push(personNamed('Zoe Quist'))
  assert.ok(named('Zoe Quist').length <= 60)
})

test('a person is found by name and mailbox among many behind the mailbox', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const emails = ['info@acme.example']
  const others = Array.from({ length: 60 }, (_, at) => ({
    name: `Bo${letters(at)} Ek${letters(at)}`,
    emails,
  }))
  const ann = { name: 'Ann Lee', company: 'Acme', emails }
  await member.import([...others, ann], { jobId: 1, batch: 25 })
  const results = await member.import(
    [
      { name: 'Ann Lee', emails },
      { name: 'Anne Beth Lee', company: 'Acme GmbH', emails },
      { name: 'Cy Fox', emails },
    ],
    { jobId: 2, source: 'google' },
  )
  assert.deepEqual(results, ['review', 'review', 'created'])
})
