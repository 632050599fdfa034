/** Skills: the manifest matches the served files, and the text names only existing tools. */

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { createMcpWorld, namesIn } from './fixtures/mcp-world.ts'

interface Entry {
  readonly uri: string
  readonly frontmatter: Readonly<Record<string, string>>
  readonly resources: readonly {
    readonly uri: string
    readonly digest: string
    readonly size: number
  }[]
}

test('each skill is listed with the digest and size of its files, which are free to read', async () => {
  await using world = await createMcpWorld()
  const before = await world.credits()
  const { result } = await world.ada('skills/list')
  const skills = result['skills'] as Entry[]
  assert.deepEqual(
    skills.map(({ frontmatter }) => frontmatter['name']),
    ['meeting-preparation', 'reconnect', 'import-and-clean-up', 'weekly-review'],
  )
  assert.deepEqual([result['ttlMs'], result['cacheScope']], [300_000, 'private'])
  const { result: tools } = await world.ada('tools/list')
  const known = new Set(namesIn(tools['tools']))
  for (const skill of skills) {
    const { name = '', description = '' } = skill.frontmatter
    assert.equal(skill.uri, `skill://${name}/SKILL.md`)
    assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/)
    assert.ok(description.length <= 1024 && !description.includes(': '), 'a plain YAML scalar')
    const [file, ...others] = skill.resources
    assert.deepEqual([file?.uri, others], [skill.uri, []])
    for (const send of [world.ada, world.legacy]) {
      const read = await send('resources/read', { uri: skill.uri })
      const [content] = read.result['contents'] as { mimeType: string; text: string }[]
      assert.ok(content && file)
      assert.equal(content.mimeType, 'text/markdown')
      assert.equal(file.digest, `sha256:${hash('sha256', content.text, 'hex')}`)
      assert.equal(file.size, Buffer.byteLength(content.text))
      const [, header = ''] = /^---\n(.*?)\n---\n/s.exec(content.text) ?? []
      assert.equal(header, `name: ${name}\ndescription: ${description}`)
      const called = [...content.text.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, tool = '']) => tool)
      const arguments_ = new Set([
        'due_before',
        'due_on',
        'keep_id',
        'connection_id',
        'task_id',
        'activity_id',
      ])
      const unknown = called.filter((tool) => !known.has(tool) && !arguments_.has(tool))
      assert.deepEqual(unknown, [], name)
    }
    const got = await world.ada('skills/get', { uri: skill.uri })
    assert.deepEqual(got.result['skill'], skill)
  }
  assert.equal(await world.credits(), before)
})

test('an unknown skill is -32602, and clients of earlier revisions read skills as resources', async () => {
  await using world = await createMcpWorld()
  for (const uri of ['skill://nonesuch/SKILL.md', 'skill://reconnect', 'weft://me', '', 7])
    assert.equal((await world.ada('skills/get', { uri })).error.code, -32602)
  assert.equal(
    (await world.ada('resources/read', { uri: 'skill://nonesuch/SKILL.md' })).error.code,
    -32602,
  )
  assert.equal((await world.legacy('skills/list')).error.code, -32601)
  const { result } = await world.legacy('resources/list')
  const listed = result['resources'] as { uri: string; description: string }[]
  assert.equal(listed.filter(({ uri }) => uri.startsWith('skill://')).length, 4)
})
