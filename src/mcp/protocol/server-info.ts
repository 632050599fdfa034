/** The name and version a server reports about itself. */

/** MCP 2026-07-28, schema: Implementation. */
export interface ServerInfo {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly websiteUrl?: string
}
