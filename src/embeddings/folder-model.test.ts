import assert from 'node:assert/strict'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { RequestError } from '../base/request-error.ts'
import { embedNetwork } from '../connections/search/meaning/embed-network.ts'
import { searchConnectionsTool } from '../connections/search/search-connections.tool.ts'
import { openSharedWorld } from '../../test/fixtures/network.ts'
import { modelFolder } from '../../test/support/model-folder.ts'
import { openEmbedder } from './embedder.ts'
import { folderModel } from './local-model.ts'
import { readModelFolder } from './model-folder.ts'
import { openStaticModel } from './static-model.ts'
import type { PageOfMatches } from '../connections/search/connection-page.ts'

function rounded(vector: Float32Array): number[] {
  return Array.from(vector, (component) => Math.round(component * 100) / 100)
}

test('a text gets the normalized mean of the vectors of its known tokens', async () => {
  const vectors = { law: [3, 0], '##yer': [0, 4], berlin: [0, -1] }
  for (const type of ['F32', 'F16'] as const) {
    await using folder = await modelFolder({ vectors, type })
    const embed = openStaticModel(readModelFolder(folder.path))
    assert.deepEqual(rounded(embed('LAWYER')), [0.6, 0.8])
    assert.deepEqual(rounded(embed('Lawyer, in Berlin')), [0.71, 0.71])
    assert.deepEqual(rounded(embed('nothing known')), [0, 0])
    assert.deepEqual(rounded(embed('')), [0, 0])
  }
})

test('tokens can have weights, and share rows', async () => {
  await using folder = await modelFolder({
    vectors: { one: [1, 0], two: [0, 1], three: [5, 5] },
    weights: [3, 4, 0],
    mapping: [1, 2, 1],
  })
  const embed = openStaticModel(readModelFolder(folder.path))
  assert.deepEqual(rounded(embed('one two three')), [0.6, 0.8])
  await using shared = await modelFolder({
    vectors: { one: [1, 0], two: [0, 1], three: [5, 5] },
    mapping: [2, 2, 2],
  })
  assert.deepEqual(rounded(openStaticModel(readModelFolder(shared.path))('one')), [0, 1])
})

test('a Unigram model splits words of any script', async () => {
  await using folder = await modelFolder({
    kind: 'Unigram',
    vectors: { '▁law': [1, 0], yer: [0, 1], '▁弁': [1, 0], 護士: [0, 1], '▁адвокат': [1, 1] },
  })
  const embed = openStaticModel(readModelFolder(folder.path))
  for (const text of ['lawyer', '弁護士', 'Адвокат'])
    assert.deepEqual(rounded(embed(text)), [0.71, 0.71], text)
})

test('large hostile texts are embedded', async () => {
  for (const kind of ['WordPiece', 'Unigram'] as const) {
    await using folder = await modelFolder({ kind, vectors: { a: [1, 0], '▁a': [0, 1] } })
    const embed = openStaticModel(readModelFolder(folder.path))
    for (const unit of ['a', 'a\u0301\u0316', '\u0301\u0316\u0323', '漢', '!', '👩‍👩‍👧', '\ud800'])
      assert.equal(embed(unit.repeat(200_000)).length, 2)
  }
})

test('another vector is another model', async () => {
  await using one = await modelFolder({ vectors: { a: [1, 0], b: [0, 1] } })
  await using same = await modelFolder({ vectors: { a: [1, 0], b: [0, 1] } })
  await using other = await modelFolder({ vectors: { a: [1, 0], b: [0, 2] } })
  const names = [one, same, other].map(({ path }) => folderModel(path).name)
  assert.equal(names[0], names[1])
  assert.notEqual(names[0], names[2])
})

test('a folder without a usable model is rejected with the reason', async () => {
  const reasonFor = (path: string) => {
    try {
      folderModel(path)
    } catch (error) {
      assert.ok(error instanceof RequestError)
      assert.match(error.details.hint ?? '', /model2vec/)
      return error.message
    }
    return ''
  }
  assert.match(reasonFor('/no/such/folder'), /WEFT_EMBEDDINGS_FOLDER has no usable model: .*ENOENT/)
  await using folder = await modelFolder({ vectors: { a: [1, 0], b: [0, 1] } })
  const file = join(folder.path, 'model.safetensors')
  const whole = await readFile(file)
  const damaged: [RegExp, (bytes: Buffer) => Buffer][] = [
    [/no safetensors header/, () => Buffer.alloc(100, 0xff)],
    [/no safetensors header|truncated|JSON/, () => Buffer.alloc(0)],
    [/no tensor named embeddings/, (bytes) => replaced(bytes, 'embeddings', 'embeddingz')],
    [/unsupported type X32/, (bytes) => replaced(bytes, 'F32', 'X32')],
  ]
  for (const [message, damage] of damaged) {
    await writeFile(file, damage(whole))
    assert.match(reasonFor(folder.path), message)
  }
  await writeFile(file, whole)
  await truncate(file, whole.length - 1)
  assert.match(reasonFor(folder.path), /is truncated/)
})

function replaced(bytes: Buffer, one: string, other: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(one, other), 'latin1')
}

test('a search finds people by the meaning of words in another language', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.import([
    { name: 'Jana Vogt', title: 'Zwortler' },
    { name: 'Otis Reed', title: 'Baker' },
  ])
  await using folder = await modelFolder({
    vectors: {
      zwort: [1, 0, 0],
      '##ler': [1, 0, 0],
      quelmsmith: [1, 0.1, 0],
      baker: [0, 0, 1],
    },
  })
  const embedder = openEmbedder({ folder: folder.path })
  await embedNetwork(member.db, embedder, (step) => member.db.write(step))
  const { connections } = await member.ask<PageOfMatches>(searchConnectionsTool({ embedder }), {
    query: 'quelmsmith',
  })
  assert.deepEqual(
    connections.map(({ name, partial_match }) => [name, partial_match]),
    [['Jana Vogt', 'similar in meaning']],
  )
})
