import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addConnectionTool } from '../../../../test/fixtures/one-person.ts'
import { openSharedWorld, type Acting } from '../../../../test/fixtures/network.ts'
import { completeNames, searchConnectionsTool } from '../../../../test/fixtures/search.ts'
import { logInteractionTool } from '../../interactions/log-interaction.tool.ts'
import { saveNoteTool } from '../../notes/save-note.tool.ts'
import { addConnectionsTool } from '../../people/add-connections.tool.ts'
import type { PageOfMatches } from '../connection-page.ts'

test('people with a planned meeting still count as not contacted', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const today = new Date(world.clock.now()).toISOString().slice(0, 10)
  const meet = (name: string, on: string) =>
    member.ask(logInteractionTool, { people: name, kind: 'meeting', on })
  for (const name of ['Ann Lee', 'Bo Day', 'Cy Fox']) await member.ask(addConnectionTool, { name })
  await meet('Ann Lee', '2020-01-05')
  await meet('Ann Lee', '2099-01-05')
  await meet('Bo Day', '2099-01-05')
  await meet('Cy Fox', today)
  for (const [query, names] of Object.entries({
    "who haven't I spoken to in two years": ['Ann Lee', 'Bo Day'],
    'who have I never spoken to': ['Bo Day'],
    'who did I speak to since 2019': ['Ann Lee', 'Cy Fox'],
  })) {
    const page = await member.ask<PageOfMatches>(searchConnectionsTool, { query })
    assert.deepEqual(completeNames(page).toSorted(), names, query)
  }
})

test('people are found by when the member was last in touch or wrote to them', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  for (const name of ['Ann Lee', 'Bo Day', 'Cy Fox', 'Di Orr'])
    await member.ask(addConnectionTool, { name })
  const log = (people: string, kind: string, on: string) =>
    member.ask(logInteractionTool, { people, kind, on })
  await log('Ann Lee', 'message', '2026-08-12')
  await log('Bo Day', 'meeting', '2026-09-02')
  await log('Cy Fox', 'call', '2025-08-12')
  for (const [query, names] of Object.entries({
    'who did I message in August 2026': ['Ann Lee'],
    'wem habe ich im August 2026 geschrieben': ['Ann Lee'],
    "who haven't I contacted for a year": ['Cy Fox', 'Di Orr'],
    'wen habe ich seit einem Jahr nicht kontaktiert': ['Cy Fox', 'Di Orr'],
  })) {
    const page = await member.ask<PageOfMatches>(searchConnectionsTool, { query })
    assert.deepEqual(completeNames(page).toSorted(), names, query)
  }
})

/**
 * Ada has a call long ago and a note of today, Bo a call of this year, Cleo neither. Dina and Kim were met in 2017, Emil had a
 * meeting then, Fay a call, Gus an email, and Hal was met in another year. It is not known when Iris and Jo were met.
 */
const CONTACTED = [
  { name: 'Ada Lind', title: 'UX Designer', met: '2019-03-01', note: 'Redesigned the tram app.' },
  { name: 'Bo Quist', title: 'Stage Designer', met: '2019-04-01' },
  { name: 'Cleo Ward', title: 'Industrial Designer', met: '2020-02-02', note: 'Builds chairs.' },
  { name: 'Dina Roth', title: 'Forester', met: '2017-06-06', calls: '2026-05-01' },
  { name: 'Emil Sand', title: 'Potter', met: '2012-01-09', meets: '2017-09-03' },
  { name: 'Fay Dorn', title: 'Judge', met: '2013-01-09', calls: '2017-09-04' },
  { name: 'Gus Hahn', title: 'Baker', met: '2014-01-09', emails: '2017-09-05' },
  { name: 'Hal Iver', title: 'Tailor', met: '2026-04-12', calls: '2026-04-13' },
  { name: 'Iris Noel', title: 'Florist', note: 'Sells tulips.' },
  { name: 'Jo Pratt', title: 'Miller', meets: '2017-02-02' },
  { name: 'Kim Zoll', title: 'Weaver', met: '2017-08-08', calls: '2026-05-02' },
]

async function joinContacted(world: { join(): Promise<Acting> }): Promise<Acting> {
  const member = await world.join()
  await member.ask(addConnectionsTool, {
    connections: CONTACTED.map(({ name, title, met, note }) => ({
      name,
      title,
      ...(met !== undefined && { connected_on: met }),
      ...(note !== undefined && { note }),
    })),
  })
  const log = (people: string, kind: string, on: string) =>
    member.ask(logInteractionTool, { people, kind, on })
  await log('Ada Lind', 'call', '2024-05-01')
  await log('Bo Quist', 'message', '2026-08-03')
  for (const { name, calls, meets, emails } of CONTACTED) {
    if (calls !== undefined) await log(name, 'call', calls)
    if (meets !== undefined) await log(name, 'meeting', meets)
    if (emails !== undefined) await log(name, 'email', emails)
  }
  return member
}

async function assertFound(
  questions: Readonly<Record<string, readonly string[]>>,
  order: 'in order' | 'in any order' = 'in any order',
): Promise<void> {
  await using world = await openSharedWorld()
  const member = await joinContacted(world)
  for (const [query, expected] of Object.entries(questions)) {
    const page = await member.ask<PageOfMatches>(searchConnectionsTool, { query })
    const names = completeNames(page).map((name) => name.replace(/ .*/, ''))
    assert.deepEqual(order === 'in order' ? names : names.toSorted(), expected, query)
  }
}

/** Who had no contact for a year. */
const NOT_OF_LATE = ['Ada', 'Cleo', 'Emil', 'Fay', 'Gus', 'Iris', 'Jo']

test('a note with a day is a contact of that day, and one without is none', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const note = { text: 'Met at the fair', on: '2025-05-05' }
  await member.ask(addConnectionsTool, {
    connections: [{ name: 'Ann Lee' }, { name: 'Bo Day', note: 'Met at the fair' }],
  })
  await member.ask(saveNoteTool, { ...note, people: 'Ann Lee' })
  for (const [query, names] of Object.entries({
    'who did I meet in May 2025': ['Ann Lee'],
    'who have I not talked to since 2024': ['Bo Day'],
    'who have I never talked to': ['Bo Day'],
  })) {
    const page = await member.ask<PageOfMatches>(searchConnectionsTool, { query })
    assert.deepEqual(completeNames(page), names, query)
  }
})

test('a note without a day is no contact, and people who have the rest of a question are complete', () =>
  assertFound({
    'designers I have not talked to for a year': ['Ada', 'Cleo'],
    "designers I haven't spoken to in a year": ['Ada', 'Cleo'],
    "designers I've not contacted for a year": ['Ada', 'Cleo'],
    'designers we have not heard from in a year': ['Ada', 'Cleo'],
    'which designers have I not contacted for a year': ['Ada', 'Cleo'],
    'UX designers I have lost touch with': ['Ada'],
    'bakers I have not written to for two years': ['Gus'],
    'florists I have not called this year': ['Iris'],
    'Designer, die ich seit einem Jahr nicht kontaktiert habe': ['Ada', 'Cleo'],
    'Designer, mit denen ich seit einem Jahr nicht gesprochen habe': ['Ada', 'Cleo'],
    'people I have not contacted for a year': NOT_OF_LATE,
    'people I have not talked to since 2018': ['Cleo', 'Emil', 'Fay', 'Gus', 'Iris', 'Jo'],
    'wen habe ich seit 2018 nicht kontaktiert': ['Cleo', 'Emil', 'Fay', 'Gus', 'Iris', 'Jo'],
    'who did I talk to this month': [],
    'people I met in 2017 I have not talked to for a year': ['Emil', 'Jo'],
    'designers I have not talked to since 2020 in Oslo': [],
    'plumbers I have not talked to for a year': [],
  }))

test('never is no contact at all, not none for a year', () =>
  assertFound({
    'who have I never talked to': ['Cleo', 'Iris'],
    'people I never called': ['Cleo', 'Iris'],
    'people I have never been in touch with': ['Cleo', 'Iris'],
    "who haven't I ever spoken to": ['Cleo', 'Iris'],
    'contacts I have never written to': ['Cleo', 'Iris'],
    "designers I've never talked to": ['Cleo'],
    'designers we never contacted': ['Cleo'],
    'mit wem habe ich nie gesprochen': ['Cleo', 'Iris'],
    'mit wem habe ich noch nie gesprochen': ['Cleo', 'Iris'],
    'wen habe ich noch nie kontaktiert': ['Cleo', 'Iris'],
    'wem habe ich niemals geschrieben': ['Cleo', 'Iris'],
    'Designer, mit denen ich nie gesprochen habe': ['Cleo'],
    'mit wem hatte ich noch nie Kontakt': ['Cleo', 'Iris'],
    "à qui je n'ai jamais parlé": ['Cleo', 'Iris'],
    'con quién nunca he hablado': ['Cleo', 'Iris'],
    'who have I not talked to yet': ['Cleo', 'Iris'],
    'wen habe ich noch nicht kontaktiert': ['Cleo', 'Iris'],
    'people I met in 2020 and never contacted': ['Cleo'],
    'people I met in 2017 and never contacted': [],
    'who have I never met': ['Iris'],
    'wen habe ich nie getroffen': ['Iris'],
    'people I have never written to since 2025': NOT_OF_LATE,
    'foresters I have never talked to': [],
  }))

test('people met at a time were first met or had a meeting then, and those first met lead', () =>
  assertFound(
    {
      'who did I meet in 2017': ['Dina', 'Kim', 'Emil', 'Jo'],
      'people I met last spring': ['Hal'],
      'people I met in spring 2026': ['Hal'],
      'who did I meet in September 2017': ['Emil'],
      'potters I met in 2017': ['Emil'],
      'foresters I met in 2017': ['Dina'],
      'who did I first meet in 2017': ['Dina', 'Kim', 'Jo'],
      'who did I get to know in 2017': ['Dina', 'Kim', 'Jo'],
      'who did I meet for the first time in 2017': ['Dina', 'Kim', 'Jo'],
      'wen lernte ich 2017 kennen': ['Dina', 'Kim', 'Jo'],
      'wen habe ich 2017 kennengelernt': ['Dina', 'Kim', 'Jo'],
      'wen habe ich im Jahr 2017 kennengelernt': ['Dina', 'Kim', 'Jo'],
      'Leute, die ich 2017 kennengelernt habe': ['Dina', 'Kim', 'Jo'],
      'wen habe ich letzten Frühling kennengelernt': ['Hal'],
      'wen habe ich 2017 getroffen': ['Dina', 'Kim', 'Emil', 'Jo'],
      'wen habe ich im September 2017 getroffen': ['Emil'],
      'wem habe ich 2017 geschrieben': ['Emil', 'Fay', 'Gus', 'Jo'],
      'gente que conocí en 2017': ['Dina', 'Kim', 'Jo'],
      'who did I meet in May 2026': [],
      'judges I met in 2017': [],
      'who did I meet before 2013': ['Emil'],
    },
    'in order',
  ))
