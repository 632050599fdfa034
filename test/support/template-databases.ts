/** Migrated and seeded databases, made once per process for tests to copy. */

import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process, { pid } from 'node:process'
import { openDatabase } from '../../src/db/engines/open.ts'
import type { DatabaseAddress } from '../../src/db/database-address.ts'
import { seedDemo } from '../../src/acts/seed-demo.ts'
import { databaseUrl } from './postgres.ts'
import { administer } from './postgres-databases.ts'
import type { Clock } from '../../src/base/clock.ts'

/** The current schema, or also the demo account. */
export type TemplateState = 'migrated' | 'seeded'

const templates = new Map<TemplateState, Promise<string>>()

function templateOf(state: TemplateState, make: () => Promise<string>): Promise<string> {
  const template = templates.get(state) ?? make()
  templates.set(state, template)
  return template
}

/** @returns the path of the template file */
export function sqliteTemplate(state: TemplateState, clock: Clock): Promise<string> {
  return templateOf(state, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weft-template-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'weft.db')
    await fillTemplate({ engine: 'sqlite', path }, state, clock)
    return path
  })
}

/** @returns the name of the template database */
export function postgresTemplate(
  server: string,
  state: TemplateState,
  clock: Clock,
): Promise<string> {
  return templateOf(state, async () => {
    const name = `weft_test_${pid}_${state}`
    await administer(server, `drop database if exists ${name}`)
    await administer(server, `create database ${name} encoding 'UTF8' template template0`)
    await fillTemplate({ engine: 'postgres', url: databaseUrl(server, name) }, state, clock)
    return name
  })
}

async function fillTemplate(
  address: DatabaseAddress,
  state: TemplateState,
  clock: Clock,
): Promise<void> {
  const { database } = await openDatabase(address, { clock, searchThreads: 1 })
  if (state === 'seeded') await seedDemo(database, clock.now())
  await database[Symbol.asyncDispose]()
}
