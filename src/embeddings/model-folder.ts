/**
 * The files of a static model in the format of model2vec: `model.safetensors` has a vector for each token of `tokenizer.json`
 * (https://github.com/MinishLab/model2vec, https://huggingface.co/docs/safetensors).
 */

import { messageOf } from '../base/thrown.ts'
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { RequestError } from '../base/request-error.ts'

export interface ModelFolder {
  /** A name from the content, so that other vectors have another name. */
  readonly name: string
  readonly tokenizerFile: string
  readonly vectorFile: string
  /** A row for each token, or for each entry of `mapping`. */
  readonly embeddings: Tensor
  /** How much each token counts in a text. */
  readonly weights: Tensor | undefined
  /** The row of each token. */
  readonly mapping: Tensor | undefined
}

export interface Tensor {
  readonly type: TensorType
  readonly rows: number
  /** 1 for a list. */
  readonly columns: number
  /** Its place in the file. */
  readonly offset: number
}

/** Bytes of a component, and how it is read. */
export const TENSOR_TYPES = {
  F64: { bytes: 8, read: (data: DataView, at: number) => data.getFloat64(at, true) },
  F32: { bytes: 4, read: (data: DataView, at: number) => data.getFloat32(at, true) },
  F16: { bytes: 2, read: (data: DataView, at: number) => data.getFloat16(at, true) },
  I64: { bytes: 8, read: (data: DataView, at: number) => Number(data.getBigInt64(at, true)) },
  I32: { bytes: 4, read: (data: DataView, at: number) => data.getInt32(at, true) },
  I8: { bytes: 1, read: (data: DataView, at: number) => data.getInt8(at) },
} as const
type TensorType = keyof typeof TENSOR_TYPES

/** @throws {RequestError} `conflict` when the folder has no such model. */
export function readModelFolder(folder: string): ModelFolder {
  try {
    return describeFolder(folder)
  } catch (error) {
    const reason = messageOf(error)
    throw new RequestError(
      'conflict',
      `WEFT_EMBEDDINGS_FOLDER has no usable model: ${folder} (${reason}).`,
      { hint: 'It needs model.safetensors and tokenizer.json in the format of model2vec.' },
    )
  }
}

const MAX_HEADER_BYTES = 1024 * 1024
/** Parts of the file that identify the vectors, so that a start does not read hundreds of megabytes. */
const [SAMPLES, SAMPLE_BYTES] = [32, 32 * 1024]

function describeFolder(folder: string): ModelFolder {
  const tokenizerFile = join(folder, 'tokenizer.json')
  const vectorFile = join(folder, 'model.safetensors')
  const identity = createHash('sha256').update(readFileSync(tokenizerFile))
  const file = openSync(vectorFile, 'r')
  try {
    const { size } = fstatSync(file)
    const length = size < 8 ? Infinity : Number(readAt(file, 0, 8).getBigUint64(0, true))
    if (length > Math.min(MAX_HEADER_BYTES, size - 8)) throw new Error('no safetensors header')
    const header = readAt(file, 8, length)
    identity.update(header)
    for (let nth = 0; nth < SAMPLES; nth += 1)
      identity.update(readAt(file, Math.floor((size * nth) / SAMPLES), SAMPLE_BYTES))
    const tensors = tensorsOf(JSON.parse(new TextDecoder().decode(header)), 8 + length, size)
    const embeddings = tensors.get('embeddings')
    if (!embeddings || embeddings.columns < 2) throw new Error('no tensor named embeddings')
    return {
      name: `folder-${identity.digest('base64url').slice(0, 22)}`,
      tokenizerFile,
      vectorFile,
      embeddings,
      weights: tensors.get('weights'),
      mapping: tensors.get('mapping'),
    }
  } finally {
    closeSync(file)
  }
}

/** Fewer bytes at the end of the file. */
export function readAt(file: number, offset: number, length: number): DataView {
  const bytes = new Uint8Array(length)
  return new DataView(bytes.buffer, 0, readSync(file, bytes, 0, length, offset))
}

interface TensorHeader {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly data_offsets: readonly number[]
}

function tensorsOf(header: unknown, start: number, size: number): Map<string, Tensor> {
  const tensors = new Map<string, Tensor>()
  const entries = Object.entries(header as Readonly<Record<string, TensorHeader>>)
  for (const [name, { dtype, shape, data_offsets }] of entries) {
    if (name === '__metadata__') continue
    const [rows = 0, columns = 1] = shape
    const offset = start + (data_offsets[0] ?? 0)
    if (!isTensorType(dtype)) throw new Error(`${name} has the unsupported type ${dtype}`)
    if (offset + rows * columns * TENSOR_TYPES[dtype].bytes > size)
      throw new Error('model.safetensors is truncated')
    tensors.set(name, { type: dtype, rows, columns, offset })
  }
  return tensors
}

function isTensorType(text: string): text is TensorType {
  return Object.hasOwn(TENSOR_TYPES, text)
}
