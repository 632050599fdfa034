/** Questions that no one in the network answers, and the places that a question may name. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { searchConnectionsTool } from '../../../test/fixtures/search.ts'
import { addConnectionTool } from '../editing/add-connection.tool.ts'
import type { PageOfMatches } from './connection-page.ts'

/** Enough others for words of one person to be rare. */
const OTHERS = Array.from({ length: 20 }, (_, at) => ({
  name: `Zo${at}`,
  note: 'Likes people from everywhere.',
}))

async function networkOf(people: readonly object[]): Promise<AsyncDisposable & Network> {
  const world = await openSharedWorld()
  const member = await world.join()
  await member.import(OTHERS)
  for (const person of people)
    await member.ask(addConnectionTool, { allow_duplicate: true, ...person })
  return { member, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

interface Network {
  readonly member: Acting
}

async function names(member: Acting, query: string, mode?: string): Promise<string[]> {
  const input = { query, ...(mode !== undefined && { mode }) }
  const page = await member.ask<PageOfMatches>(searchConnectionsTool, input)
  return page.connections.map(({ name }) => name)
}

test('someone who has only the words that ask is no answer', async () => {
  await using network = await networkOf([
    { name: 'Kerstin', note: 'Kennt sich mit Zuschüssen aus.' },
    { name: 'Ann', note: 'Knows someone who works at the port.' },
  ])
  for (const query of [
    'Wer kennt sich mit Markenrecht aus?',
    'who knows someone who works at Airbus',
  ])
    assert.deepEqual(await names(network.member, query), [], query)
  assert.deepEqual(await names(network.member, 'Wer kennt sich mit Zuschüssen aus?'), ['Kerstin'])
})

test('a place of a question is no typo of another', async () => {
  await using network = await networkOf([{ name: 'Declan', location: 'Cork, Ireland' }])
  assert.deepEqual(await names(network.member, 'people from Iceland'), [])
  assert.deepEqual(await names(network.member, 'people from Irelnd'), ['Declan'])
})

test('every country and its capital is a place, but a name or a word of a note is none', async () => {
  await using network = await networkOf([
    { name: 'Musa', location: 'Freetown' },
    { name: 'Rosa', location: 'Caracas, Venezuela' },
    { name: 'Chad Hill', location: 'Harare' },
    { name: 'Kim', location: 'Baltimore' },
    { name: 'Lea', note: 'Réunion chaque lundi.' },
  ])
  const expected = {
    'people in Sierra Leone': ['Musa'],
    'people in Africa': ['Chad Hill', 'Musa'],
    'Leute in Simbabwe': ['Chad Hill'],
    'people in South America': ['Rosa'],
    'people in the Caribbean': [],
    'people in Maryland': ['Kim'],
    chad: ['Chad Hill'],
    'réunion lundi': ['Lea'],
  }
  for (const [query, found] of Object.entries(expected))
    assert.deepEqual((await names(network.member, query)).toSorted(), found, query)
})

test('places are found in the cases of Russian', async () => {
  await using network = await networkOf([
    { name: 'Ann', title: 'Engineer', location: 'Berlin, Germany' },
    { name: 'Ben', title: 'Engineer', location: 'Moscow' },
    { name: 'Cleo', title: 'Investor', location: 'Warsaw, Poland' },
  ])
  const expected = {
    'инженеры в Берлине': ['Ann'],
    'инженеры из Москвы': ['Ben'],
    'люди в Германии': ['Ann'],
    'инвесторы в Польше': ['Cleo'],
    'инженеры в Варшаве': [],
  }
  for (const [query, found] of Object.entries(expected))
    assert.deepEqual(await names(network.member, query), found, query)
})

test('with embeddings, half of a question says nothing if it is a company or a relative, or an occupation is missing', async () => {
  await using network = await networkOf([
    { name: 'Håkon', title: 'Software lead', company: 'Opera' },
    { name: 'Cem', title: 'Crane operator', note: 'Sat next to me at the wedding of Ida.' },
    { name: 'Zhao', title: 'Cellist', note: 'Her husband is a chemist.' },
    { name: 'Arjun', title: 'Scientist', note: 'Trains speech models for Hindi.' },
  ])
  const { member } = network
  assert.ok((await names(member, 'music', 'semantic')).length > 0)
  for (const query of ['opera singing', 'wedding photographer', "Gertrude's husband"])
    assert.deepEqual(await names(member, query), [], query)
  assert.equal((await names(member, 'speech recognition'))[0], 'Arjun')
})

test('a specialty that no one has is required beside a title, but not what someone is wanted for', async () => {
  await using network = await networkOf([
    { name: 'Ada', title: 'Lawyer' },
    { name: 'Ben', title: 'Civil engineer' },
    { name: 'Cleo', title: 'Angel investor', note: 'Likes grid software.' },
  ])
  const { member } = network
  for (const query of [
    'divorce lawyer',
    'satellite engineers',
    'Anwälte mit Familienrecht',
    'investors in gaming',
  ])
    assert.deepEqual(await names(member, query), [], query)
  assert.deepEqual(await names(member, 'lawyer for a seed round'), ['Ada'])
  assert.deepEqual(await names(member, 'Anwalt für eine Scheidung'), ['Ada'])
  await member.ask(addConnectionTool, { name: 'Dana', title: 'Satellite engineer' })
  assert.deepEqual(await names(member, 'satellite engineers'), ['Dana', 'Ben'])
})

test('the verb of a question does not answer it', async () => {
  await using network = await networkOf([
    { name: 'Tomasz', note: 'Sells honey.' },
    { name: 'Dalia', note: 'Bought a car and sold the old one.' },
    { name: 'Lars', title: 'Insurance broker' },
  ])
  const { member } = network
  assert.deepEqual(await names(member, 'who sells insurance for boats'), [])
  assert.deepEqual(await names(member, 'who sells honey'), ['Tomasz'])
})

test('with embeddings, a verb, a purpose or a given name alone is nothing to be similar to', async () => {
  await using network = await networkOf([
    { name: 'Adrian', note: 'Plays chess in a club on Thursdays.' },
    { name: 'Bruno', note: 'Repairs mechanical watches.' },
    { name: 'Farid Richter', title: 'Copywriter' },
    { name: 'Tobias', title: 'Paramedic', company: 'DRK' },
    { name: 'Ingrid', title: 'Head of sales' },
    { name: 'Cem', title: 'Butcher', company: 'Operam', location: 'Riga, Latvia' },
  ])
  const { member } = network
  assert.ok((await names(member, 'music', 'semantic')).length > 0)
  for (const query of [
    'who plays the harp',
    'wer spielt Harfe',
    'who can repair my piano',
    'who has a piano for sale',
    'Dr. Farid Nasser',
    'opera singers in Riga',
  ])
    assert.deepEqual(await names(member, query), [], query)
  assert.equal((await names(member, 'who plays chess'))[0], 'Adrian')
})

test('with embeddings, an email, a company or an event has no similar people if it is found', async () => {
  await using network = await networkOf([
    { name: 'Rob', title: 'Account executive', company: 'Stripe', emails: ['rob@stripe.example'] },
    { name: 'Aoife', title: 'Head of operations', note: 'Met at Slush; used to work at Adyen.' },
    { name: 'Sam', title: 'Sales executive' },
  ])
  const { member } = network
  assert.ok((await names(member, 'music', 'semantic')).length > 0)
  const expected = {
    'who works at Stripe': ['Rob'],
    'who is Rob at Stripe': ['Rob'],
    'rob@stripe': ['Rob'],
    'who did I meet at Slush': ['Aoife'],
    'ex-Adyen': ['Aoife'],
  }
  for (const [query, found] of Object.entries(expected))
    assert.deepEqual(await names(member, query), found, query)
  assert.ok((await names(member, 'executives at Stripe')).includes('Sam'))
})
