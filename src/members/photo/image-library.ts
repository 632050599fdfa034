/** The library that decodes images, which is loaded for the first image and works in threads of its own. */

import type sharp from 'sharp'

export type ImageLibrary = typeof sharp

/** Undefined if the binary for this platform, an optional package, is not installed. */
export async function loadImageLibrary(): Promise<ImageLibrary | undefined> {
  try {
    const { default: library } = await import('sharp')
    library.cache(false)
    library.concurrency(1)
    library.block({ operation: ['VipsForeignLoad'] })
    library.unblock({ operation: LOADERS })
    return library
  } catch {
    return undefined
  }
}

/** Loaders of the formats that `readPhoto` accepts. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}`)
