/** A browser's file forms and a job's end, for the tests of these pages. */

import assert from 'node:assert/strict'
import { SAME_ORIGIN, type Page } from '../../../test/support/visitor.ts'
import { eventsPath } from '../jobs/paths.ts'
import { IMPORT_PATH } from './paths.ts'
import type { Person } from '../member-fixture.ts'

/** LinkedIn's columns, and rows of a given name, a family name and a company. */
export function connectionsCsv(rows: readonly (readonly string[])[]): string {
  const lines = rows.map(
    ([given = '', family = '', company = '']) => `${given},${family},${company}`,
  )
  return ['First Name,Last Name,Company', ...lines, ''].join('\r\n')
}

/** Sends a form in exactly these parts, in this order; a File is a file. */
export async function sendForm(
  { visitor }: Person,
  parts: readonly (readonly [name: string, value: string | File])[],
  headers: Readonly<Record<string, string>> = SAME_ORIGIN,
): Promise<Page> {
  const form = new FormData()
  for (const [name, value] of parts)
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, value.name)
  return visitor.post(IMPORT_PATH, form, headers)
}

export async function formTokenOf({ visitor }: Person): Promise<string> {
  return (await visitor.get(IMPORT_PATH)).formToken
}

/** Sends a file as the page's form does. */
export async function sendFile(
  person: Person,
  content: string | Uint8Array<ArrayBuffer>,
  name = 'Connections.csv',
): Promise<Page> {
  const file = new File([content], name, { type: 'text/csv' })
  return sendForm(person, [
    ['form_token', await formTokenOf(person)],
    ['file', file],
  ])
}

/** Where the file's content is shown. */
export async function planOf(person: Person, content: string): Promise<string> {
  const { status, location, html } = await sendFile(person, content)
  assert.equal(status, 303, html)
  return location ?? ''
}

/** Imports a file to its end; the number of the job. */
export async function importFile(person: Person, content: string): Promise<number> {
  const { visitor } = person
  const plan = await visitor.get(await planOf(person, content))
  const started = await visitor.submit(plan, {}, 'Start the import')
  const jobId = Number(/\/user\/jobs\/(\d+)\?notice=started$/.exec(started.location ?? '')?.[1])
  assert.ok(jobId > 0, started.text)
  await readEvents(person, jobId)
  return jobId
}

/** What is told of a job until it has ended. */
export async function readEvents({ visitor }: Person, jobId: number): Promise<string> {
  const { status, html } = await visitor.get(eventsPath(jobId))
  assert.equal(status, 200, html)
  return html
}
