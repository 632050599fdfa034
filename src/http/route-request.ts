/** One request and what is known of it before anything was answered. */

export interface Exchange {
  readonly requestId: string
  /** Headers that go out with whatever the answer will be. */
  readonly headers: Record<string, string>
}
