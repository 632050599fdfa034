/** A zip file as a stream: each file in it is packed as its text comes, and nothing is held but what is on its way. */

/** Its text comes in pieces. */
export interface ZippedFile {
  readonly name: string
  readonly text: AsyncIterable<string>
}

/** `at`: when the files in it were made, in milliseconds. Rejects with what the text of a file fails by. */
export async function* zipStream(
  files: readonly ZippedFile[],
  at: number,
): AsyncGenerator<Uint8Array, void> {
  // Loaded where it is used: it takes time and memory that few processes ever need.
  const { ZipWriter } = await import('@zip.js/zip.js/index-native.js')
  let fail: (error: unknown) => void = () => {}
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => void (fail = (error) => controller.error(error)),
  })
  const zip = new ZipWriter(writable, {
    useWebWorkers: false,
    lastModDate: new Date(at),
    // Else every file of unknown length is written for sizes above 4 GB, which not every program reads.
    zip64: false,
  })
  // Whoever reads hears of a failure; once nobody reads, packing fails by that.
  const packed = packAll(files, zip).catch(fail)
  try {
    yield* readable
  } finally {
    await packed
  }
}

interface Packing {
  add(name: string, text: ReadableStream<Uint8Array>): Promise<unknown>
  close(): Promise<unknown>
}

async function packAll(files: readonly ZippedFile[], zip: Packing): Promise<void> {
  for (const { name, text } of files) await zip.add(name, ReadableStream.from(bytesOf(text)))
  await zip.close()
}

async function* bytesOf(text: AsyncIterable<string>): AsyncGenerator<Uint8Array, void> {
  for await (const piece of text) if (piece !== '') yield Buffer.from(piece)
}
