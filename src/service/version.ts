/** The version and the repository in package.json. */

import { readFileSync } from 'node:fs'

/** The version in package.json. */
export function readVersion(): string {
  return readPackage().version
}

/** The repository as server.json names it, if package.json has one on a host that the MCP registry knows. */
export function readRepository(): { readonly url: string; readonly source: string } | undefined {
  const { repository } = readPackage()
  const given = typeof repository === 'object' ? repository.url : repository
  const [, host, path] =
    /(github|gitlab)\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(given ?? '') ?? []
  return host && path ? { url: `https://${host}.com/${path}`, source: host } : undefined
}

interface Package {
  readonly version: string
  readonly repository?: string | { readonly url: string }
}

function readPackage(): Package {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Package
}
