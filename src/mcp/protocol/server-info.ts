/** The name and version a server reports about itself. */

import { assetPath } from '../../html/assets.ts'

/** MCP 2026-07-28, schema: Implementation. */
export interface ServerInfo {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly websiteUrl?: string
  readonly icons?: readonly Icon[]
}

/** MCP 2025-11-25 and 2026-07-28, schema: Icon. */
interface Icon {
  readonly src: string
  readonly mimeType: string
  readonly sizes: readonly string[]
}

/** The icon of the service; an SVG fits every size. */
export function iconsOf(publicUrl: string): readonly Icon[] {
  const src = publicUrl + assetPath('weft.svg')
  return [{ src, mimeType: 'image/svg+xml', sizes: ['any'] }]
}
