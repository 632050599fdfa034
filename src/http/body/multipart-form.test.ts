import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { RequestError } from '../../base/request-error.ts'
import { openFileForm } from './multipart-form.ts'

const TYPE = 'multipart/form-data; boundary=b'
const FILE = part('f"; filename="a.csv', 'one,two')

test('fields before the file are available before it is read; later fields are ignored', async () => {
  const form = await open(part('token', 'x') + part('other', 'y') + FILE + part('token', 'late'))
  assert.deepEqual(
    [...form.fields],
    [
      ['token', 'x'],
      ['other', 'y'],
    ],
  )
  assert.equal(form.file?.filename, 'a.csv')
  assert.equal(await textOf(form.file.bytes), 'one,two')
  assert.equal(form.fields.getAll('token').length, 1)
})

test('a form without a file has only its fields', async () => {
  const { fields, file } = await open(part('token', 'x'))
  assert.equal(fields.get('token'), 'x')
  assert.equal(file, undefined)
})

test('a second file or a missing end is reported after the first file was read', async () => {
  const second = await open(FILE + part('g"; filename="b.csv', 'x'))
  await assert.rejects(textOf(second.file?.bytes), isRefused(/contains more than one/))
  const cut = await openFileForm(pieces(FILE.slice(0, -3)), TYPE)
  await assert.rejects(textOf(cut.file?.bytes), isRefused(/is malformed/))
})

test('a body that fails midway fails its file with the same error', async () => {
  const read = async () =>
    textOf((await openFileForm(failing(FILE.slice(0, -3)), TYPE)).file?.bytes)
  await assert.rejects(read, isRefused(/too much/))
})

test('a body that is not a form, or has invalid text in a field, is rejected', async () => {
  await assert.rejects(openFileForm(pieces('x'), 'multipart/form-data'), isRefused(/is malformed/))
  await assert.rejects(open(part('a', 'x\0y') + FILE), isRefused(/NUL or half/))
})

test('after disposal, the body is not read further', async () => {
  const body = endless()
  const form = await openFileForm(body.bytes, TYPE)
  form[Symbol.dispose]()
  await body.left
})

const open = (parts: string) => openFileForm(pieces(`${parts}--b--\r\n`), TYPE)

function part(name: string, value: string): string {
  return `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
}

async function* pieces(whole: string): AsyncGenerator<Uint8Array> {
  for (const character of whole) yield Buffer.from(character)
}

async function* failing(start: string): AsyncGenerator<Uint8Array> {
  yield* pieces(start)
  throw new RequestError('payload_too_large', 'This is too much.')
}

/** A form whose file has no end; `left` resolves when reading stops. */
function endless() {
  const left = Promise.withResolvers<void>()
  async function* take(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from(FILE.slice(0, -2))
      for (;;) yield Buffer.alloc(1024, 97)
    } finally {
      left.resolve()
    }
  }
  return { bytes: take(), left: left.promise }
}

async function textOf(bytes: AsyncIterable<Uint8Array> | undefined): Promise<string> {
  assert.ok(bytes)
  return text(bytes)
}

function isRefused(message: RegExp) {
  return (error: unknown) => error instanceof RequestError && message.test(error.message)
}
