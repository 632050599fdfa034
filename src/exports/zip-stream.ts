/** Writes a zip file as a stream. Each file is compressed as its text arrives, so little is held in memory. */

export interface ZippedFile {
  readonly name: string
  readonly text: AsyncIterable<string>
}

/** `at` is the modification time of the files, in milliseconds. Rejects if reading the text of a file fails. */
export async function* zipStream(
  files: readonly ZippedFile[],
  at: number,
): AsyncGenerator<Uint8Array, void> {
  // Imported on first use, because few processes need it.
  const { ZipWriter } = await import('@zip.js/zip.js/index-native.js')
  let fail: (error: unknown) => void = () => {}
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => void (fail = (error) => controller.error(error)),
  })
  const zip = new ZipWriter(writable, {
    useWebWorkers: false,
    lastModDate: new Date(at),
    // Otherwise files of unknown length use zip64, which some programs cannot read.
    zip64: false,
  })
  // A failure is passed to the reader. If the reader stops, packing fails.
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
