/** An app is a view of a tool's result: HTML that clients with MCP Apps show next to the text result. */

import { readFileSync } from 'node:fs'
import { lazy } from '../base/lazy.ts'

export interface App {
  /** `ui://weft/<name>`. */
  readonly uri: string
  /** kebab-case. */
  readonly name: string
  readonly title: string
  readonly description: string
  /** The tools whose results it shows. */
  readonly tools: readonly string[]
  /** The whole document. Loads nothing from other origins. */
  readonly html: () => string
}

interface AppFiles extends Omit<App, 'uri' | 'html'> {
  /** Contains `view.css`, `host.js` and a script with the name of the app. */
  readonly folder: URL
}

export function defineApp({ folder, ...app }: AppFiles): App {
  const read = (file: string) => readFileSync(new URL(file, folder), 'utf8')
  return {
    ...app,
    uri: `ui://weft/${app.name}`,
    html: lazy(() =>
      documentOf(app.title, read('view.css'), joined(read('host.js'), read(`${app.name}.js`))),
    ),
  }
}

const HOST = " from './host.js'\n"

/** Both modules as one, because a document without an origin cannot import. */
function joined(host: string, view: string): string {
  const start = view.indexOf('import {')
  const end = view.indexOf(HOST, start) + HOST.length
  return host.replaceAll(/^export /gm, '') + view.slice(0, start) + view.slice(end)
}

/** The style and the script are ours and contain no end tag. */
function documentOf(title: string, style: string, script: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
${style}</style>
</head>
<body>
<main></main>
<p id="status" role="status" class="muted"></p>
<script type="module">
${script}</script>
</body>
</html>
`
}
