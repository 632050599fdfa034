/** CardDAV servers that Weft is compared with. Each has one address book with the same cards, written to its storage. */

import { execFileSync, spawnSync, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { memoryOf, start, stop } from '../support/machine.ts'
import { freePort, served } from '../support/weft.ts'

/** A running server with an address book. */
export interface CardServer extends AsyncDisposable {
  readonly name: string
  readonly pid: number
  readonly origin: string
  /** Path of the address book, with a slash at the end. */
  readonly book: string
  readonly username: string
  readonly password: string
  /** Megabytes after the first request, which loads code. */
  readonly atRest: number
}

/** Cards by their name in the URL. */
export type Cards = ReadonlyMap<string, string>

/** The servers that are installed; the reasons for the others. */
export async function startCardServers(
  folder: string,
  cards: Cards,
): Promise<{ readonly servers: readonly CardServer[]; readonly missing: readonly string[] }> {
  const servers: CardServer[] = []
  const missing: string[] = []
  if (isInstalled('radicale')) servers.push(await startRadicale(join(folder, 'radicale'), cards))
  else missing.push('radicale is not installed')
  if (isInstalled('xandikos')) servers.push(await startXandikos(join(folder, 'xandikos'), cards))
  else missing.push('xandikos is not installed')
  const sabre = process.env['SABRE_DAV']
  if (sabre === undefined) missing.push('SABRE_DAV does not name a folder with sabre/dav')
  else servers.push(await startSabre(join(folder, 'sabre'), cards, sabre))
  return { servers, missing }
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0
}

async function startRadicale(folder: string, cards: Cards): Promise<CardServer> {
  const port = await freePort()
  const book = join(folder, 'collection-root/ada/book')
  await writeCards(book, cards)
  await writeFile(join(book, '.Radicale.props'), '{"tag": "VADDRESSBOOK"}')
  const args = [
    `--server-hosts=127.0.0.1:${port}`,
    '--auth-type=none',
    '--logging-level=error',
    `--storage-filesystem-folder=${folder}`,
  ]
  return running('Radicale', start('server', 'radicale', args), { port, book: '/ada/book/' })
}

/** It stores cards in a Git repository. */
async function startXandikos(folder: string, cards: Cards): Promise<CardServer> {
  const port = await freePort()
  const book = join(folder, 'user/contacts/addressbook')
  const address = ['--port', String(port), '--listen-address', '127.0.0.1']
  const args = ['-d', folder, '--defaults', ...address]
  const path = '/user/contacts/addressbook/'
  const first = await running('xandikos', start('server', 'xandikos', args), { port, book: path })
  await first[Symbol.asyncDispose]()
  await writeCards(book, cards)
  const git = (...command: string[]) => execFileSync('git', command, { cwd: book, stdio: 'ignore' })
  git('add', '--all')
  git('-c', 'user.name=bench', '-c', 'user.email=bench@example.org', 'commit', '-m', 'cards')
  return running('xandikos', start('server', 'xandikos', args), { port, book: path })
}

async function startSabre(folder: string, cards: Cards, sabre: string): Promise<CardServer> {
  const port = await freePort()
  await mkdir(folder)
  const database = join(folder, 'sabre.db')
  fillSabre(database, cards)
  const script = fileURLToPath(new URL('sabre-dav.php', import.meta.url))
  const args = ['-d', 'opcache.enable_cli=1', '-S', `127.0.0.1:${port}`, script]
  const env = { ...process.env, SABRE_DAV: sabre, SABRE_DATABASE: database }
  const child = start('server', 'php', args, { env })
  return running('sabre/dav', child, { port, book: '/addressbooks/ada/book/' })
}

/** The tables that its documentation names. */
const SABRE_TABLES = `
  create table addressbooks (id integer primary key, principaluri text not null, displayname text, uri text not null,
    description text, synctoken integer not null default 1, unique (principaluri, uri));
  create table cards (id integer primary key, addressbookid integer not null, carddata blob, uri text not null,
    lastmodified integer, etag text, size integer, unique (addressbookid, uri));
  create table addressbookchanges (id integer primary key, uri text, synctoken integer not null,
    addressbookid integer not null, operation integer not null);
  create index addressbookid_synctoken on addressbookchanges (addressbookid, synctoken);
  create table principals (id integer primary key, uri text not null unique, email text, displayname text);
  create table groupmembers (id integer primary key, principal_id integer not null, member_id integer not null);
  insert into principals (uri) values ('principals/ada');
  insert into addressbooks (principaluri, displayname, uri) values ('principals/ada', 'Book', 'book')`

function fillSabre(path: string, cards: Cards): void {
  using database = new DatabaseSync(path)
  database.exec(SABRE_TABLES)
  database.exec('begin')
  const insert = database.prepare(
    'insert into cards (addressbookid, carddata, uri, lastmodified, etag, size) values (1, ?, ?, 1790000000, ?, ?)',
  )
  for (const [name, text] of cards)
    insert.run(text, name, createHash('md5').update(text).digest('hex'), Buffer.byteLength(text))
  database.exec('commit')
}

async function writeCards(folder: string, cards: Cards): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of cards) await writeFile(join(folder, name), text)
}

async function running(
  name: string,
  child: ChildProcess,
  { port, book }: { readonly port: number; readonly book: string },
): Promise<CardServer> {
  await served(child, port, '/')
  return {
    name,
    pid: child.pid ?? 0,
    origin: `http://127.0.0.1:${port}`,
    book,
    username: 'ada',
    password: 'ada',
    atRest: memoryOf(child.pid, 'VmRSS'),
    [Symbol.asyncDispose]: () => stop(child),
  }
}
