/** Per-request state that exists before the handler runs. */

export interface Exchange {
  readonly requestId: string
  /** Headers of the response, regardless of its outcome. */
  readonly headers: Record<string, string>
}
