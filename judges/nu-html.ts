/** The Nu HTML Checker of the WHATWG and the W3C, run on every page and its style sheets and SVG images. */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { listVisits, openFurnished, type Furnished } from '../test/pages/visits.ts'
import type { Verdict } from './judge.ts'

const JAR = fileURLToPath(new URL('node_modules/vnu-jar/build/dist/vnu.jar', import.meta.url))
const NAME = 'Nu HTML Checker: every page, style sheet and image'

/** The checker is a Java program. Without Java it is skipped, or fails in CI. */
export async function* nuHtml(): AsyncGenerator<Verdict> {
  const java = findJava()
  if (java === undefined) {
    const isRequired = env['CI'] === 'true'
    const says = 'Java 17 is not installed'
    yield { judge: NAME, content: !isRequired, says, ...(!isRequired && { skipped: true }) }
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'weft-judge-'))
  try {
    const pages = await savePages(folder)
    const { code, said } = await check(java, folder)
    yield { judge: `${NAME} (${pages})`, content: isContent(code) && said === '', says: said }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The exit code is 1 even if all messages were filtered out. */
function isContent(code: number): boolean {
  return code === 0 || code === 1
}

function findJava(): string | undefined {
  const home = env['JAVA_HOME']
  const folders = (env['PATH'] ?? '').split(delimiter)
  if (home !== undefined && home !== '') folders.unshift(join(home, 'bin'))
  return folders.map((folder) => join(folder, 'java')).find((place) => existsSync(place))
}

/** Saves every page and asset, named after its path. Returns the number of files. */
async function savePages(folder: string): Promise<number> {
  await using world = await openFurnished()
  const visits = listVisits(world)
  const assets = new Set<string>()
  for (const [index, { place, who }] of visits.entries()) {
    const page = await read(world, place, who)
    for (const [, path = ''] of page.matchAll(/(?:href|src)="(\/assets\/[^"#]+\.(?:css|svg))/g))
      assets.add(path)
    await writeFile(join(folder, fileName(`${index} ${who} ${place}`, '.html')), page)
  }
  for (const path of assets)
    await writeFile(
      join(folder, fileName(path, path.slice(-4))),
      await read(world, path, 'anonymous'),
    )
  return visits.length + assets.size
}

async function read(
  world: Furnished,
  place: string,
  who: keyof Furnished['visitors'] | 'anonymous',
) {
  const accept = { accept: 'text/html' }
  const visitor = who === 'anonymous' ? undefined : world.visitors[who]
  if (visitor) return (await visitor.get(place, accept)).html
  const answer = await fetch(world.service.url + place, { headers: accept })
  return answer.text()
}

function fileName(place: string, ending: string): string {
  return place.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 80) + ending
}

/** CSS that the checker does not know yet. Browsers without support ignore it. */
const UNKNOWN_CSS =
  '.*CSS: .*(view-transition|field-sizing|vector-effect|paint-order|position-area|position-try).*'

/** `--skip-info-messages` drops the notes about `<br />`, which is valid. */
const OPTIONS = [
  '--stdout',
  '--Werror',
  '--skip-info-messages',
  '--also-check-css',
  '--also-check-svg',
  '--filterpattern',
  UNKNOWN_CSS,
]

function check(java: string, folder: string): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    execFile(java, ['-jar', JAR, ...OPTIONS, folder], (error, stdout, stderr) => {
      const code = error ? Number(error.code ?? -1) : 0
      resolve({ code, said: `${stdout}${stderr}`.replaceAll(`file:${folder}/`, '').trim() })
    })
  })
}
