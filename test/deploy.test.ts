/** The files in `deploy/`, checked by the programs that read them. */

import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { request, type RequestOptions } from 'node:https'
import { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readConfig } from '../src/config/config.ts'
import { runWeft } from './support/in-process.ts'
import { findPostgres, startCluster, withClient } from './support/postgres.ts'
import { freePort } from './support/free-port.ts'
import { startTestService } from './support/service.ts'
import { openDevice, phoneCard } from './fixtures/dav-device.ts'
import { TEST_ENGINE } from './support/store.ts'
import { unchangedFiles } from './support/unchanged.ts'
import { until } from './support/until.ts'

const DEPLOY = join(import.meta.dirname, '../deploy')
const SQLITE = TEST_ENGINE !== 'sqlite' && 'does not depend on the engine'

const lacks = (program: string, args = ['--version']) =>
  spawnSync(program, args).error !== undefined && `${program} is not installed`

test('the alert rules fire when they should', { skip: SQLITE || lacks('promtool') }, () => {
  const ran = spawnSync('promtool', ['test', 'rules', 'alerts.test.yaml'], {
    cwd: DEPLOY,
    encoding: 'utf8',
  })
  assert.equal(ran.status, 0, ran.stdout + ran.stderr)
})

test('every metric of the dashboard and the alert rules exists', { skip: SQLITE }, async () => {
  const token = 'a-token-of-the-metrics-page'
  const smtp = {
    host: '127.0.0.1',
    port: 9,
    isImplicitTls: false,
    credentials: null,
    from: 'weft@example.org',
  }
  const metrics = { port: null, host: '', token }
  await using service = await startTestService({ metrics, smtp })
  const answer = await fetch(`${service.url}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const known = new Set(
    [...(await answer.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, one]) => one),
  )
  for (const file of ['grafana-dashboard.json', 'alerts.yaml']) {
    const text = await readFile(join(DEPLOY, file), 'utf8')
    const used = [...text.matchAll(/\b((?:weft|process|nodejs)_[a-z_]+)\b/g)].map(([, one]) => one)
    assert.ok(used.length > 5)
    const missing = used.filter(
      (name) => !known.has(name) && !known.has(name?.replace(/_(?:bucket|count|sum)$/, '')),
    )
    assert.deepEqual(missing, [], file)
  }
})

test('every file that starts Weft limits memory alike', { skip: SQLITE }, async () => {
  const files = ['package.json', 'Dockerfile', 'deploy/weft.service', 'bin/weft.js']
  for (const file of [...files, 'bench/support/weft.ts', 'docs/running/deployment.md']) {
    const text = await readFile(join(DEPLOY, '..', file), 'utf8')
    const options = [...text.matchAll(/--max-semi-space-size=\d+/g)].map(String)
    assert.deepEqual([...new Set(options)], ['--max-semi-space-size=8'], file)
    if (file !== 'package.json') assert.match(text, /MALLOC_ARENA_MAX(?:=| = ')2/, file)
  }
})

test('systemd accepts the unit', { skip: SQLITE || lacks('systemd-analyze') }, () => {
  const ran = spawnSync('systemd-analyze', ['verify', join(DEPLOY, 'weft.service')], {
    encoding: 'utf8',
  })
  assert.equal(ran.status, 0, ran.stderr)
  assert.doesNotMatch(ran.stderr, /weft\.service:\d+/)
})

test(
  'the settings of the compose file are valid, and its secrets are declared',
  { skip: SQLITE },
  async () => {
    const text = await readFile(join(DEPLOY, '../compose.yaml'), 'utf8')
    const folder = await mkdtemp(join(tmpdir(), 'weft-compose-'))
    const secret = join(folder, 'secret')
    await writeFile(secret, 'postgres://weft:secret@postgres/weft')
    const set = [...text.matchAll(/^ +(WEFT_[A-Z_]+): (.+)$/gm)]
      // Not Weft's, but of the Caddyfile.
      .filter(([, name]) => name !== 'WEFT_DOMAIN' && name !== 'WEFT_UPSTREAMS')
      .map(([, name = '', value = '']) => [
        name,
        value
          .replaceAll(/^'|'$/g, '')
          .replace(/\$\{WEFT_DOMAIN.*\}/, 'weft.example.org')
          .replace(/^\/run\/secrets\/.+/, secret),
      ])
    assert.ok(set.length >= 8)
    const { database, backupUrl, publicUrl } = readConfig(Object.fromEntries(set))
    await rm(folder, { recursive: true })
    assert.equal(database.engine, 'postgres')
    assert.equal(backupUrl, 'postgres://weft:secret@postgres/weft')
    assert.equal(publicUrl, 'https://weft.example.org')
    const [services = '', declared = ''] = text.split(/^secrets:$/m)
    const used = services.matchAll(/\/run\/secrets\/(\w+)/g)
    assert.doesNotMatch(text, /weft[12]:[^]*?WEFT_OWNER_DATABASE[^]*?postgres:\n/)
    assert.deepEqual(
      new Set([...used].map(([, name]) => name)),
      new Set([...declared.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name)),
    )
  },
)

test(
  'the image has every file of the package, and the arguments of the compose file',
  { skip: SQLITE },
  async () => {
    const read = (file: string) => readFile(join(DEPLOY, '..', file), 'utf8')
    const dockerfile = await read('Dockerfile')
    const runtime = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
    const copied = [...runtime.matchAll(/\/build\/(\S+)/g)].map(([, path]) => path)
    const { files } = JSON.parse(await read('package.json')) as { files: string[] }
    const packed = files.filter((path) => !path.startsWith('!'))
    assert.deepEqual(
      new Set(copied),
      new Set([...packed, 'package.json', 'LICENSE', 'node_modules', 'node']),
    )
    const [, args = ''] = /args: \{(.+)\}/.exec(await read('compose.yaml')) ?? []
    const names = [...args.matchAll(/(\w+):/g)].map(([, name]) => name)
    assert.ok(names.length > 0)
    for (const name of names) assert.match(runtime, new RegExp(`^ARG ${name}=`, 'm'))
  },
)

test(
  'the compose file gives each role its own password, and the nodes serve as a role that owns nothing',
  { skip: SQLITE || lacks('openssl', ['version']) || lacks('psql') },
  async (t) => {
    const programs = await findPostgres()
    if (programs === undefined) return t.skip('PostgreSQL is not installed')
    const secrets = await mkdtemp(join(tmpdir(), 'weft-secrets-'))
    const run = (script: string, args: string[], more: Record<string, string> = {}) => {
      const env = { PATH: process.env['PATH'], ...more }
      const ran = spawnSync('sh', [join(DEPLOY, script), ...args], { env, encoding: 'utf8' })
      assert.equal(ran.status, 0, ran.stderr)
    }
    const read = (name: string) => readFile(join(secrets, name), 'utf8')
    run('create-secrets.sh', [secrets])
    const urls = await Promise.all(
      ['weft_owner_database', 'weft_database', 'weft_backup_database'].map(read),
    )
    const passwords = urls.map((url) => new URL(url).password)
    assert.equal(new Set([...passwords, await read('postgres_password')]).size, 4)
    run('create-secrets.sh', [secrets])
    assert.equal(await read('weft_database'), urls[1])

    await using cluster = await startCluster(programs)
    const socket = new URL(cluster.url).searchParams.get('host') ?? ''
    run('postgres-role.sh', [], { SECRETS: secrets, PGHOST: socket })
    await rm(secrets, { recursive: true })
    for (const url of urls) await assertPassword(cluster.url, new URL(url))
    const local = urls.map((url) => `${url.replace('@postgres', '@localhost')}?host=${socket}`)
    const [WEFT_OWNER_DATABASE = '', WEFT_DATABASE = '', WEFT_BACKUP_DATABASE = ''] = local
    const migrated = await runWeft({ WEFT_DATABASE, WEFT_OWNER_DATABASE }, ['migrate'])
    assert.equal(migrated.code, 0, migrated.stderr)
    const created = await runWeft({ WEFT_DATABASE }, ['demo', 'seed'])
    assert.equal(created.code, 0, created.stderr)
    const doctor = await runWeft({ WEFT_DATABASE, WEFT_OWNER_DATABASE, WEFT_BACKUP_DATABASE }, [
      'doctor',
    ])
    assert.match(doctor.stdout, /database_role: The role weft_serving can only read and write rows/)
    assert.match(doctor.stdout, /owner: The role weft owns the tables/)
    assert.match(doctor.stdout, /backup_role: The role weft_backup sees all rows/)
  },
)

/** The server stores a password as RFC 5802 says: `SCRAM-SHA-256$<iterations>:<salt>$<stored key>:<server key>`. */
async function assertPassword(superuserUrl: string, { username, password }: URL): Promise<void> {
  const stored = await withClient(superuserUrl, async (client) => {
    const { rows } = await client.query<{ stored: string }>(
      'select rolpassword as stored from pg_authid where rolname = $1',
      [username],
    )
    return rows[0]?.stored ?? ''
  })
  const [, iterations, salt = '', key] = /^SCRAM-SHA-256\$(\d+):(.+)\$(.+):.+$/.exec(stored) ?? []
  const salted = pbkdf2Sync(password, Buffer.from(salt, 'base64'), Number(iterations), 32, 'sha256')
  const clientKey = createHmac('sha256', salted).update('Client Key').digest()
  assert.equal(createHash('sha256').update(clientKey).digest('base64'), key, username)
}

/** What the upstream saw of a request. */
interface Seen {
  /** The headers that tell nodes who calls. */
  readonly caller: string
  readonly host: string | undefined
  readonly forwardedFor: string | undefined
  readonly bytes: number
}

interface Upstream extends AsyncDisposable {
  readonly port: number
  readonly seen: Seen[]
}

/** Stands in for Weft: counts uploads, and streams an event only after the client has received the one before. */
async function startUpstream(): Promise<Upstream> {
  const seen: Seen[] = []
  let continueStream = () => {}
  const respond = async (message: IncomingMessage, response: ServerResponse) => {
    if (message.url === '/received') continueStream()
    const bytes = await countBytes(message)
    if (message.url === '/upload' || message.url === '/call')
      seen.push({
        caller: callerOf(message.headers),
        host: message.headers.host,
        forwardedFor: message.headers['x-forwarded-for']?.toString(),
        bytes,
      })
    if (message.url !== '/events') {
      response.end('{"status":"ready"}\n')
      return
    }
    const received = new Promise<void>((resolve) => (continueStream = resolve))
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.write('data: first\n\n')
    await received
    response.end('data: second\n\n')
  }
  const server: Server = createServer((message, response) => void respond(message, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function callerOf({ authorization = '', cookie = '' }: IncomingHttpHeaders): string {
  return authorization || cookie
}

async function countBytes(message: IncomingMessage): Promise<number> {
  let bytes = 0
  for await (const chunk of message) bytes += (chunk as Buffer).byteLength
  return bytes
}

/** An example file with the addresses of a test, and the command that runs it. */
interface Proxy {
  readonly program: string
  readonly versionArgs: string[]
  configure(example: string, test: ProxyTest): { readonly config: string; readonly args: string[] }
  readonly file: string
  environment?(test: ProxyTest): Record<string, string>
}

interface ProxyTest {
  readonly folder: string
  readonly port: number
  /** Ports of the nodes. */
  readonly upstreams: readonly number[]
}

/** Replaces text that the example must contain. */
function replaced(example: string, pairs: readonly (readonly [string, string])[]): string {
  let text = example
  for (const [from, to] of pairs) {
    assert.ok(text.includes(from), `the example does not contain ${from}`)
    text = text.replaceAll(from, to)
  }
  return text
}

const PROXIES: readonly Proxy[] = [
  {
    program: 'caddy',
    versionArgs: ['version'],
    file: 'Caddyfile',
    environment: ({ port, upstreams }) => ({
      WEFT_DOMAIN: `https://localhost:${port}`,
      WEFT_UPSTREAMS: upstreams.map((upstream) => `127.0.0.1:${upstream}`).join(' '),
    }),
    configure: (example, { folder }) => ({
      config:
        '{\n\tadmin off\n\tauto_https disable_redirects\n}\n' +
        replaced(example, [
          [
            '{$WEFT_DOMAIN:weft.example.org} {',
            `{$WEFT_DOMAIN} {\n\ttls ${folder}/cert.pem ${folder}/key.pem`,
          ],
          // On a busy machine, a node that is only slow stays available.
          ['health_timeout 2s', 'health_timeout 1h'],
        ]),
      args: ['run', '--adapter', 'caddyfile', '--config'],
    }),
  },
  {
    program: 'nginx',
    versionArgs: ['-v'],
    file: 'nginx.conf',
    configure: (example, { folder, port, upstreams }) => ({
      config: `pid ${folder}/nginx.pid; error_log stderr warn; daemon off; worker_processes 1;
events {}
http {
access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/${one};`).join('\n')}
${replaced(example, [
  [
    '    server 127.0.0.1:8787 max_fails=1 fail_timeout=5s;',
    upstreams.map((upstream) => `server 127.0.0.1:${upstream};`).join('\n'),
  ],
  ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
  ['server_name weft.example.org', 'server_name localhost'],
  ['/etc/letsencrypt/live/weft.example.org/fullchain.pem', `${folder}/cert.pem`],
  ['/etc/letsencrypt/live/weft.example.org/privkey.pem', `${folder}/key.pem`],
])}
}`,
      args: ['-p', folder, '-c'],
    }),
  },
  {
    program: 'haproxy',
    versionArgs: ['-v'],
    file: 'haproxy.cfg',
    configure: (example, { folder, port, upstreams }) => ({
      config: replaced(example, [
        [
          '    server weft1 127.0.0.1:8787',
          upstreams.map((upstream, at) => `    server weft${at} 127.0.0.1:${upstream}`).join('\n'),
        ],
        // On a busy machine, a node that is only slow stays available.
        ['timeout connect 5s', 'timeout connect 5s\n    timeout check 1h'],
        ['bind :443', `bind 127.0.0.1:${port}`],
        ['/etc/haproxy/certs/weft.example.org.pem', `${folder}/both.pem`],
      ]),
      args: ['-db', '-f'],
    }),
  },
]

interface Running extends AsyncDisposable {
  readonly port: number
}

async function startProxy(
  { proxy, port }: { readonly proxy: Proxy; readonly port?: number },
  ...upstreams: readonly number[]
): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-proxy-'))
  await chmod(folder, 0o755)
  await makeCertificate(folder)
  const setting: ProxyTest = { folder, port: port ?? (await freePort()), upstreams }
  const example = await readFile(join(DEPLOY, proxy.file), 'utf8')
  const { config, args } = proxy.configure(example, setting)
  const file = join(folder, 'config')
  await writeFile(file, config)
  const child = spawn(proxy.program, [...args, file], {
    cwd: folder,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: folder, ...proxy.environment?.(setting) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => said.push(String(chunk)))
  try {
    await untilAnswered(child, setting.port, said)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return {
    port: setting.port,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function makeCertificate(folder: string): Promise<void> {
  const args =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost'
  const made = spawnSync(
    'openssl',
    [
      ...args.split(' '),
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      'key.pem',
      '-out',
      'cert.pem',
    ],
    { cwd: folder, encoding: 'utf8' },
  )
  assert.equal(made.status, 0, made.stderr)
  const parts = ['cert.pem', 'key.pem'].map((name) => readFile(join(folder, name), 'utf8'))
  await writeFile(join(folder, 'both.pem'), (await Promise.all(parts)).join(''))
  await chmod(join(folder, 'key.pem'), 0o644)
}

async function untilAnswered(child: ChildProcess, port: number, said: string[]): Promise<void> {
  await until(async () => {
    if (child.exitCode !== null)
      throw new Error(`it ended with ${child.exitCode}: ${said.join('')}`)
    const status = await send(port, '/readyz').then(
      (answer) => answer.status,
      () => 0,
    )
    return status === 200
  })
}

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Over TLS to this machine, with a certificate that only the test knows. */
function open(port: number, path: string, options: RequestOptions = {}, body?: Buffer) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        servername: 'localhost',
        port,
        path,
        rejectUnauthorized: false,
        agent: false,
        ...options,
      },
      resolve,
    )
    sent.once('error', reject)
    sent.setHeader(
      'host',
      options.headers && 'host' in options.headers
        ? String(options.headers.host)
        : `localhost:${port}`,
    )
    sent.end(body)
  })
}

async function send(
  port: number,
  path: string,
  options: RequestOptions = {},
  body?: Buffer,
): Promise<Answer> {
  const answer = await open(port, path, options, body)
  const chunks: string[] = []
  for await (const chunk of answer) chunks.push(String(chunk))
  return { status: answer.statusCode, headers: answer.headers, body: chunks.join('') }
}

/** Finds the address book from the host, and puts, lists and reads a card, as a client that accepts compression does. */
async function assertSyncs(proxy: Proxy): Promise<void> {
  const port = await freePort()
  await using service = await startTestService({
    publicUrl: `https://localhost:${port}`,
    trustedProxies: ['127.0.0.1'],
  })
  const { authorization, book } = await openDevice(service, await service.addMember())
  await using _running = await startProxy({ proxy, port }, service.port)
  const call = (method: string, path: string, body = '', more: Record<string, string> = {}) => {
    const headers = { authorization, 'accept-encoding': 'gzip, br, zstd, deflate', ...more }
    return send(port, path, { method, headers }, Buffer.from(body))
  }
  const found = await call('PROPFIND', '/.well-known/carddav')
  assert.equal(found.status, 301)
  const entry = new URL(found.headers.location ?? '', `https://localhost:${port}`)
  assert.equal(entry.href, `https://localhost:${port}/dav/`)
  const card = phoneCard('u1', 'Ada Lovelace', `NOTE:${'compressible '.repeat(1000)}`)
  const name = `${book}a%20b%2Fc.vcf`
  const put = await call('PUT', name, card, { 'content-type': 'text/vcard', 'if-none-match': '*' })
  assert.equal(put.status, 201, put.body)
  const etag = String(put.headers.etag)
  const prop = '<prop><getetag/><C:address-data xmlns:C="urn:ietf:params:xml:ns:carddav"/></prop>'
  const answers = {
    propfind: await call('PROPFIND', book, '<propfind xmlns="DAV:"><allprop/></propfind>', {
      depth: '1',
    }),
    multiget: await call(
      'REPORT',
      book,
      `<C:addressbook-multiget xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav">${prop}<href>${name}</href></C:addressbook-multiget>`,
    ),
    sync: await call(
      'REPORT',
      book,
      `<sync-collection xmlns="DAV:"><sync-token/><sync-level>1</sync-level>${prop}</sync-collection>`,
    ),
    get: await call('GET', name),
  }
  for (const [kind, { status, headers, body }] of Object.entries(answers)) {
    assert.equal(status, kind === 'get' ? 200 : 207, `${kind}: ${body}`)
    assert.equal(headers['content-encoding'], undefined, kind)
    if (kind !== 'get') assert.ok(body.includes(name), `${kind}: ${body}`)
    if (kind !== 'propfind') assert.ok(body.includes('compressible '), kind)
  }
  assert.deepEqual([answers.get.body, answers.get.headers.etag], [card, etag])
  const stale = await call('PUT', name, card, { 'content-type': 'text/vcard', 'if-match': '"no"' })
  assert.equal(stale.status, 412)
  assert.equal((await call('DELETE', name, '', { 'if-match': etag })).status, 204)
}

/** What decides how the proxies treat requests. */
const DEPLOY_FILES = ['deploy', 'src/guards/client-address.ts', 'src/dav', 'test/deploy.test.ts']

const UPLOAD = Buffer.alloc(50 * 1024 * 1024, 'x')

describe(
  'Weft behind a proxy, as the examples configure it',
  { skip: SQLITE || lacks('openssl', ['version']) || unchangedFiles(DEPLOY_FILES) },
  () => {
    for (const proxy of PROXIES)
      test(
        `${proxy.program}: uploads of 50 MB, streams without delay, client addresses, host and HSTS`,
        { skip: lacks(proxy.program, proxy.versionArgs) },
        async () => {
          await using upstream = await startUpstream()
          await using running = await startProxy({ proxy }, upstream.port)
          const { port } = running
          const forged = { 'x-forwarded-for': '203.0.113.7' }
          const posted = await send(port, '/upload', { method: 'POST', headers: forged }, UPLOAD)
          assert.equal(posted.status, 200)
          const [seen] = upstream.seen
          assert.equal(seen?.bytes, UPLOAD.byteLength)
          assert.equal(seen?.forwardedFor, '127.0.0.1')
          assert.match(seen?.host ?? '', /^localhost(:\d+)?$/)

          const stream = await open(port, '/events')
          const [first] = (await once(stream, 'data')) as [Buffer]
          assert.equal(String(first), 'data: first\n\n')
          const rest = once(stream, 'data') as Promise<[Buffer]>
          await send(port, '/received')
          assert.equal(String((await rest)[0]), 'data: second\n\n')

          await using service = await startTestService({
            publicUrl: 'https://localhost',
            trustedProxies: ['127.0.0.1'],
          })
          await using weft = await startProxy({ proxy }, service.port)
          const page = await send(weft.port, '/api/human/demo', {
            headers: { ...forged, host: 'localhost' },
          })
          assert.equal(page.status, 200, page.body)
          assert.equal(page.headers['strict-transport-security'], 'max-age=31536000')
        },
      )

    for (const proxy of PROXIES)
      test(
        `${proxy.program}: contacts apps sync under a public URL with a port, without compression`,
        { skip: lacks(proxy.program, proxy.versionArgs) },
        () => assertSyncs(proxy),
      )

    for (const proxy of PROXIES)
      test(
        `${proxy.program}: each token and each session has one node, also with other headers`,
        { skip: lacks(proxy.program, proxy.versionArgs) },
        async () => {
          await using nodes = new AsyncDisposableStack()
          const upstreams: Upstream[] = []
          for (let node = 0; node < 3; node++) upstreams.push(nodes.use(await startUpstream()))
          await using running = await startProxy({ proxy }, ...upstreams.map(({ port }) => port))
          const call = (headers: Record<string, string>) => send(running.port, '/call', { headers })
          const ids = Array.from({ length: 30 }, (_, id) => String(id))
          for (const id of ids)
            for (let turn = 0; turn < 3; turn++) {
              // A client cannot choose its node, and other cookies do not matter.
              const others = { 'weft-caller': String(turn) }
              await call({ ...others, authorization: `Bearer ${id}` })
              await call({ ...others, cookie: `turn=${turn}; __Host-weft_session=${id}` })
              await call({ ...others, cookie: `turn=${turn}` })
            }
          const nodesOf = (caller: RegExp) =>
            upstreams.filter(({ seen }) => seen.some((one) => caller.test(one.caller))).length
          for (const id of ids) {
            assert.equal(nodesOf(new RegExp(`^Bearer ${id}$`)), 1)
            assert.equal(nodesOf(new RegExp(`__Host-weft_session=${id}$`)), 1)
          }
          assert.equal(nodesOf(/^turn=\d$/), 1)
          assert.equal(nodesOf(/^Bearer/), 3)
          assert.equal(nodesOf(/__Host-weft_session/), 3)
        },
      )
  },
)
