/** Per-request state that exists before the handler runs. */

import type { Language } from '../languages/language.ts'

export interface Exchange {
  readonly requestId: string
  /** Headers of the response, regardless of its outcome. */
  readonly headers: Record<string, string>
  /** Language of a browser's page, for its errors. */
  language?: Language
}
