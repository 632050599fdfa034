import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertDrafts } from '../../../records/recorded-table.ts'
import { NOTES } from '../../notes/notes.ts'
import { recordSearchChanges } from '../../model/search-changes.ts'
import { openSharedWorld } from '../../../../test/fixtures/network.ts'
import { saveNoteTool } from '../../notes/save-note.tool.ts'
import { deleteNoteTool } from '../../notes/delete-note.tool.ts'
import { noteWords } from '../../../search/build/analyze-document.ts'
import { MIN_NOTES, rememberedNoteTerms } from './note-terms.ts'
import { readIndex } from './network-index.ts'
import { searchConnections } from '../search.ts'

test('of a connection with many notes, only added notes are analyzed; after other changes, all', async () => {
  await using world = await openSharedWorld()
  const { db } = await world.join()
  const analyzed: string[] = []
  const termsOf = rememberedNoteTerms(db.memory, (note) => {
    analyzed.push(note)
    return noteWords(note)
  })
  const countFor = (notes: readonly string[]) => {
    analyzed.length = 0
    const terms = termsOf(1, notes)
    assert.deepEqual(terms.toSorted(), [...new Set(notes.flatMap(noteWords))].toSorted())
    return analyzed.length
  }
  const notes = Array.from({ length: 500 }, (_, at) => `note${at} about hiring`)
  assert.equal(countFor(notes), 500)
  assert.equal(countFor([...notes, 'one more']), 1)
  assert.equal(countFor([...notes, 'one more', 'and another']), 1)
  assert.equal(countFor([...notes, 'one more']), 501) // a deleted note
  assert.equal(countFor(notes.with(7, 'a changed note').concat('one more')), 501)
  assert.equal(countFor(notes.slice(0, MIN_NOTES - 1)), MIN_NOTES - 1) // too few to be remembered
})

test('a connection with many notes is found by those that it has, and no longer by others', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.import([{ name: 'Ada Lovelace' }, { name: 'Grace Hopper' }])
  await member.db.write(async (tx) => {
    const notes = Array.from({ length: MIN_NOTES }, (_, at) => ({
      connectionId: 1,
      text: `engine${at}`,
      happenedOn: null,
      origin: 'typed' as const,
      createdAt: 1,
    }))
    await insertDrafts(NOTES, tx, notes)
    await recordSearchChanges(tx, [1])
  })
  const find = async (query: string, total: number) =>
    assert.equal(
      (await searchConnections(member.db, { query: { query }, limit: 5 })).total,
      total,
      query,
    )
  await readIndex(member.db)
  await find('engine5', 1)
  await member.ask(saveNoteTool, { people: 'c_1', text: 'compilers' })
  await find('compilers', 1)
  await member.ask(saveNoteTool, { note_id: `n_${MIN_NOTES + 1}`, text: 'zebras' })
  await find('compilers', 0)
  await find('zebras', 1)
  await member.ask(deleteNoteTool, { note_id: `n_${MIN_NOTES + 1}` })
  await find('zebras', 0)
  await find('engine63', 1)
})
