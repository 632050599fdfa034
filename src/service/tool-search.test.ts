/** Members' words find the tool: clients with many tools search their names, titles and descriptions. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEmbedder } from '../embeddings/embedder.ts'
import { createLog } from '../base/log.ts'
import { MEMBER_NEEDS } from '../../test/fixtures/member-needs.ts'
import { createStore, fixedClock } from '../../test/support/store.ts'
import { listTools } from './catalog.ts'

/** What members ask for, with the tool that does it. A pattern stands for tools of one kind. */
const NEEDS: readonly (readonly [need: string, tool: string | RegExp])[] = [
  ['find contacts in Berlin', 'search_connections'],
  ['who do I know at Siemens', 'search_connections'],
  ['find people who could help with fundraising', 'search_connections'],
  ["what is Ben's phone number", 'search_connections'],
  ['look for someone by a word in a note', 'search_connections'],
  ['search my contacts', /^search/],
  ['show all my contacts by name', 'search_connections'],
  ['list my newest contacts', 'search_connections'],
  ['who changed jobs recently', 'search_connections'],
  ['browse the whole address book', 'search_connections'],
  ['show everything about a contact', 'get_connections'],
  ['phone numbers and emails of a contact', 'get_connections'],
  ['full details of several people', 'get_connections'],
  ['birthday and addresses of a person', 'get_connections'],
  ['how many people do I know', 'get_network_summary'],
  ['count contacts per company', 'get_network_summary'],
  ['statistics of my network by location', 'get_network_summary'],
  ['who can introduce me to Acme', 'find_introductions'],
  ['warm introduction to an investor', 'find_introductions'],
  ['add a new contact', 'add_connections'],
  ['save a person I met', 'add_connections'],
  ['create contacts from a list of names', 'add_connections'],
  ['edit a contact', 'update_connections'],
  ['change the company of a person', 'update_connections'],
  ['she moved to a new job', 'update_connections'],
  ['tag people as investor', 'update_connections'],
  ['remove a tag from contacts', 'update_connections'],
  ['which tags do I use', 'list_tags'],
  ['show my labels', 'list_tags'],
  ['delete a contact', 'delete_connections'],
  ['remove people from my network', 'delete_connections'],
  ['restore a deleted contact', 'restore_connections'],
  ['bring back people I deleted', 'restore_connections'],
  ['add a note about a person', /_notes?$/],
  ['write down what we talked about in a note', /_notes?$/],
  ['show my notes', 'list_timeline'],
  ['delete a note', /_notes?$/],
  ['remind me to call', /_follow_ups?$|^update_connections$/],
  ['list my open follow-ups', /_follow_ups?$/],
  ['what is due this week', /_follow_ups?$/],
  ['mark a reminder as done', /_follow_ups?$/],
  ['log a call', 'log_interaction'],
  ['I met them for coffee yesterday', /^log_interaction$|^update_connections$/],
  ['record a meeting with people', 'log_interaction'],
  ['find duplicate contacts', 'find_duplicates'],
  ['merge duplicate people', /duplicates$/],
  ['these are different people, not duplicates', /duplicates$/],
  ['split a contact that was merged by mistake', /split_connection|duplicates$/],
  ['undo my last change', 'undo'],
  ['undo what Claude did', 'undo'],
  ['what did agents change', 'list_activity'],
  ['history of changes', 'list_activity'],
  ['import my LinkedIn contacts file', 'import_connections'],
  ['upload a CSV of contacts', 'import_connections'],
  ['export contacts as CSV', 'export_connections'],
  ['download a vCard file of my contacts', 'export_connections'],
  ['how many credits are left', /^get_credits$|^whoami$/],
  ['who am I', 'whoami'],
  ['change my profile headline', /profile$/],
  ['find members in the directory', 'search_directory'],
  ['is my import job finished', /_jobs?$/],
  ['cancel a running job', /_jobs?$/],
  ['define a custom field', /custom_fields?$/],
]

/** Needs written before the tools had their names. Not all need to be found, so that descriptions are not made for them. */
const MIN_FOUND = 36

test('a plain search over the descriptions finds the tool for what a member needs in the first three', async (t) => {
  await using store = await createStore()
  const tools = listTools({
    database: store.database,
    clock: fixedClock(),
    log: createLog('silent'),
    publicUrl: 'https://weft.example',
    quota: 1000,
    version: '0',
    embedder: openEmbedder(null),
    wake: () => {},
  })
  // Only ChatGPT is offered the others: see chatgpt-tools.ts.
  const offered = tools.filter(({ name }) => name !== 'search' && name !== 'fetch')
  const search = bm25(
    offered.map(({ name, title, description }) => ({
      name,
      words: wordsIn(`${name} ${title} ${description}`),
    })),
  )
  assert.ok(NEEDS.length >= 60)
  const missedOf = (needs: typeof NEEDS) =>
    needs.flatMap(([need, tool]) => {
      const found = search(wordsIn(need)).slice(0, 3)
      const isFound = found.some((name) =>
        typeof tool === 'string' ? name === tool : tool.test(name),
      )
      return isFound ? [] : [`${need}: ${found.join(', ')}`]
    })
  const [missed, unseen] = [missedOf(NEEDS), missedOf(MEMBER_NEEDS)]
  t.diagnostic(`${NEEDS.length - missed.length} of ${NEEDS.length} needs`)
  t.diagnostic(
    `${MEMBER_NEEDS.length - unseen.length} of ${MEMBER_NEEDS.length}: ${unseen.join('; ')}`,
  )
  assert.deepEqual(missed, [])
  assert.ok(MEMBER_NEEDS.length - unseen.length >= MIN_FOUND, unseen.join('\n'))
})

interface Document {
  readonly name: string
  readonly words: readonly string[]
}

/** Okapi BM25 with the usual constants. Returns the names, best first. */
function bm25(documents: readonly Document[]): (query: readonly string[]) => string[] {
  const average = documents.reduce((sum, { words }) => sum + words.length, 0) / documents.length
  const holders = (word: string) => documents.filter(({ words }) => words.includes(word)).length
  const scoreOf = ({ words }: Document, query: readonly string[]) =>
    query.reduce((sum, word) => {
      const count = words.filter((one) => one === word).length
      const found = holders(word)
      const weight = Math.log(1 + (documents.length - found + 0.5) / (found + 0.5))
      return sum + (weight * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * words.length) / average))
    }, 0)
  return (query) =>
    documents
      .map((document) => ({ name: document.name, score: scoreOf(document, query) }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score)
      .map(({ name }) => name)
}

/** Lower-case, singular, without words that are in every request. */
function wordsIn(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  return words
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) =>
      word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word,
    )
}

const STOP_WORDS = new Set(
  'a all an and are as at be by did do for from i in is it my of on or that the their them these they this to was we what which with'.split(
    ' ',
  ),
)
