import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { RequestError } from '../base/request-error.ts'
import { readConfig } from './config.ts'
import { SETTINGS, type Environment } from './settings.ts'

function complaint(environment: Environment): string {
  try {
    readConfig(environment)
  } catch (error) {
    assert.ok(error instanceof RequestError)
    return error.message
  }
  return assert.fail('was accepted')
}

test('with nothing set there is a whole configuration; empty and blank values count as not set', () => {
  const { searchThreads, ...config } = readConfig({})
  assert.deepEqual(config, {
    database: { engine: 'sqlite', path: './data/weft.db' },
    databaseTimeoutSeconds: 30,
    databaseConnections: 20,
    host: 'localhost',
    port: 8787,
    publicUrl: 'http://localhost:8787',
    monthlyCredits: 1000,
    uploadQuotaMb: 250,
    searchMemoryMb: 512,
    activityRetentionDays: null,
    logLevel: 'info',
    jobConcurrency: 2,
    signUp: 'invite',
    demo: 'on',
    oidc: null,
    smtp: null,
    refreshGraceSeconds: 0,
    rateLimits: {},
    davBurst: { people: 50, percent: 20 },
    redisUrl: null,
    trustedProxies: [],
    webhookHosts: [],
    securityContact: null,
    supportContact: null,
    privacyPolicy: null,
    termsOfService: null,
    mcpRegistryAuth: null,
    openaiAppsChallenge: null,
    logRequests: 'errors',
    metrics: null,
    backupDirectory: null,
    backupUrl: null,
    secretKey: null,
    drainSeconds: 0,
    embeddings: null,
  })
  assert.ok(searchThreads >= 1 && searchThreads <= 4)
  const blank = Object.fromEntries(
    Object.values(SETTINGS).map(({ name }, at) => [name, at % 2 === 0 ? '' : '  ']),
  )
  assert.deepEqual(readConfig(blank), readConfig({}))
})

test('settings are read', () => {
  const config = readConfig({
    WEFT_DATABASE: 'sqlite:/var/lib/weft.db',
    WEFT_DATABASE_TIMEOUT: '45',
    WEFT_DATABASE_CONNECTIONS: '12',
    WEFT_HOST: '0.0.0.0',
    WEFT_PORT: ' 80 ',
    WEFT_PUBLIC_URL: 'HTTPS://Weft.Example.org/',
    WEFT_MONTHLY_CREDITS: '0',
    WEFT_UPLOAD_QUOTA_MB: '500',
    WEFT_ACTIVITY_RETENTION_DAYS: '365',
    WEFT_LOG_LEVEL: 'WARN',
    WEFT_SEARCH_THREADS: '3',
    WEFT_SEARCH_MEMORY_MB: '64',
    WEFT_JOB_CONCURRENCY: '1',
    WEFT_SIGN_UP: 'Open',
    WEFT_DEMO: 'off',
    WEFT_OIDC_ISSUER: 'https://login.example.org/realm',
    WEFT_OIDC_CLIENT_ID: 'weft',
    WEFT_OIDC_CLIENT_SECRET: 'x',
    WEFT_SMTP_URL: 'smtps://weft%40example.org:p%3Ass@mail.example.org',
    WEFT_SMTP_FROM: 'Weft <weft@example.org>',
    WEFT_REFRESH_GRACE_SECONDS: '60',
    WEFT_RATE_LIMITS: 'mcp=1200/60, directory=30/10',
    WEFT_DAV_BURST: 'off',
    WEFT_REDIS_URL: 'rediss://:x@redis.example.org/1',
    WEFT_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, fd00::/8',
    WEFT_WEBHOOK_HOSTS: 'HomeAssistant.local:8123, 10.0.0.5',
    WEFT_SECURITY_CONTACT: 'mailto:security@example.org',
    WEFT_SUPPORT_CONTACT: 'https://example.org/help',
    WEFT_EMBEDDINGS_URL: 'http://127.0.0.1:11434/v1/',
    WEFT_EMBEDDINGS_MODEL: 'nomic-embed-text',
    WEFT_EMBEDDINGS_KEY: 'sk-x',
    WEFT_LOG_REQUESTS: 'Sampled',
    WEFT_METRICS_PORT: '9464',
    WEFT_METRICS_HOST: '10.0.0.7',
    WEFT_SECRET_KEY: 'k'.repeat(32),
    WEFT_METRICS_TOKEN: 'abcdefghijklmnopqrstuvwx',
    WEFT_DRAIN_SECONDS: '15',
    WEFT_BACKUP_DIRECTORY: '/var/backups/weft',
    WEFT_BACKUP_DATABASE: 'postgres://weft_backup:x@db/weft',
    PATH: '/bin',
    WEFT_TEST_ANYTHING: 'x',
  })
  assert.deepEqual(config, {
    database: { engine: 'sqlite', path: '/var/lib/weft.db' },
    databaseTimeoutSeconds: 45,
    databaseConnections: 12,
    host: '0.0.0.0',
    port: 80,
    publicUrl: 'https://weft.example.org',
    monthlyCredits: 0,
    uploadQuotaMb: 500,
    activityRetentionDays: 365,
    logLevel: 'warn',
    searchThreads: 3,
    searchMemoryMb: 64,
    jobConcurrency: 1,
    signUp: 'open',
    demo: 'off',
    oidc: { issuer: 'https://login.example.org/realm', clientId: 'weft', clientSecret: 'x' },
    smtp: {
      host: 'mail.example.org',
      port: 465,
      isImplicitTls: true,
      credentials: { user: 'weft@example.org', password: 'p:ss' },
      from: 'Weft <weft@example.org>',
    },
    refreshGraceSeconds: 60,
    rateLimits: { mcp: { quota: 1200, window: 60 }, directory: { quota: 30, window: 10 } },
    davBurst: null,
    redisUrl: 'rediss://:x@redis.example.org/1',
    trustedProxies: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
    webhookHosts: ['homeassistant.local:8123', '10.0.0.5'],
    securityContact: 'mailto:security@example.org',
    supportContact: 'https://example.org/help',
    privacyPolicy: null,
    termsOfService: null,
    mcpRegistryAuth: null,
    openaiAppsChallenge: null,
    logRequests: 'sampled',
    metrics: { port: 9464, host: '10.0.0.7', token: 'abcdefghijklmnopqrstuvwx' },
    backupDirectory: '/var/backups/weft',
    backupUrl: 'postgres://weft_backup:x@db/weft',
    secretKey: 'k'.repeat(32),
    drainSeconds: 15,
    embeddings: { url: 'http://127.0.0.1:11434/v1', model: 'nomic-embed-text', key: 'sk-x' },
  })
})

test('metrics need a port or a long token, and the metrics host needs a port', () => {
  assert.match(complaint({ WEFT_METRICS_HOST: '0.0.0.0' }), /WEFT_METRICS_HOST must come with/)
  assert.match(
    complaint({ WEFT_METRICS_TOKEN: 'short' }),
    /WEFT_METRICS_TOKEN must have at least 24/,
  )
  assert.match(complaint({ WEFT_SECRET_KEY: 'short' }), /WEFT_SECRET_KEY must have at least 32/)
  assert.deepEqual(readConfig({ WEFT_METRICS_PORT: '0' }).metrics, {
    port: 0,
    host: '127.0.0.1',
    token: null,
  })
})

test('variables that Kubernetes sets for services named weft are ignored', () => {
  const service = {
    WEFT_SERVICE_HOST: '10.96.0.12',
    WEFT_SERVICE_PORT: '80',
    WEFT_SERVICE_PORT_HTTP: '80',
    WEFT_PORT: 'tcp://10.96.0.12:80',
    WEFT_PORT_80_TCP: 'tcp://10.96.0.12:80',
    WEFT_PORT_80_TCP_PROTO: 'tcp',
    WEFT_PORT_80_TCP_PORT: '80',
    WEFT_PORT_80_TCP_ADDR: '10.96.0.12',
    WEFT_DB_SERVICE_HOST: '10.96.0.13',
    WEFT_DB_PORT: 'tcp://10.96.0.13:5432',
    WEFT_DB_PORT_5432_TCP_ADDR: '10.96.0.13',
  }
  assert.deepEqual(readConfig(service), readConfig({}))
  assert.match(complaint({ WEFT_PORT: 'tcp' }), /WEFT_PORT must be a whole number/)
  assert.match(complaint({ WEFT_DB_PORT: '5432' }), /WEFT_DB_PORT is not a setting/)
  assert.match(complaint({ WEFT_SERVICES: 'x' }), /WEFT_SERVICES is not a setting/)
})

test('a mail server needs a sender, and both must be well formed', () => {
  const from = { WEFT_SMTP_FROM: 'weft@example.org' }
  assert.match(complaint(from), /WEFT_SMTP_URL must come with WEFT_SMTP_FROM/)
  assert.deepEqual(readConfig({ ...from, WEFT_SMTP_URL: 'smtp://[::1]' }).smtp, {
    host: '::1',
    port: 587,
    isImplicitTls: false,
    credentials: null,
    from: 'weft@example.org',
  })
  for (const url of ['mail.example.org', 'http://x', 'smtp://', 'smtp://a@x', 'smtp://x/?pool=1'])
    assert.match(complaint({ ...from, WEFT_SMTP_URL: url }), /WEFT_SMTP_URL must/, url)
  for (const sender of ['weft', 'a@b, c@d', 'Weft weft@example.org', 'x@y\nBcc: z@y'])
    assert.match(
      complaint({ WEFT_SMTP_URL: 'smtp://x', WEFT_SMTP_FROM: sender }),
      /WEFT_SMTP_FROM must/,
      sender,
    )
})

test('Redis is reached at a host or a socket', () => {
  for (const url of ['redis://localhost', 'redis://:x@db:6380/2', 'unix:/run/redis/redis.sock'])
    assert.equal(readConfig({ WEFT_REDIS_URL: url }).redisUrl, url)
  for (const url of ['localhost:6379', 'http://localhost', 'redis://', 'unix:redis.sock']) {
    const text = complaint({ WEFT_REDIS_URL: url })
    assert.match(text, /WEFT_REDIS_URL must be redis:/)
  }
})

test('all errors are reported at once', () => {
  const text = complaint({
    WEFT_DATABASE: 'mysql://x',
    WEFT_PORT: '65536',
    WEFT_PUBLIC_URL: 'https://x.org/path',
    WEFT_MONTHLY_CREDITS: '-1',
    WEFT_LOG_LEVEL: 'loud',
    WEFT_SEARCH_THREADS: '0',
    WEFT_JOB_CONCURRENCY: '2.5',
    WEFT_SIGN_UP: 'maybe',
    WEFT_OIDC_ISSUER: 'https://login.example.org',
    WEFT_REFRESH_GRACE_SECONDS: '301',
    WEFT_RATE_LIMITS: 'mcp=0/60',
    WEFT_DAV_BURST: '0/20',
    WEFT_TRUSTED_PROXIES: '10.0.0.0/33',
    WEFT_SECURITY_CONTACT: 'ask at the door',
    WEFT_UNKNOWN: 'x',
  })
  assert.match(text, /15 problems/)
  for (const name of [
    'SIGN_UP',
    'OIDC_ISSUER',
    'REFRESH_GRACE_SECONDS',
    'RATE_LIMITS',
    'DAV_BURST',
  ])
    assert.match(text, new RegExp(`^ {2}- WEFT_${name} must `, 'm'))
  for (const name of ['TRUSTED_PROXIES', 'SECURITY_CONTACT'])
    assert.match(text, new RegExp(`WEFT_${name} must`))
  for (const name of ['DATABASE', 'PORT', 'PUBLIC_URL', 'MONTHLY_CREDITS', 'LOG_LEVEL'])
    assert.match(text, new RegExp(`^ {2}- WEFT_${name} must `, 'm'))
  for (const name of ['SEARCH_THREADS', 'JOB_CONCURRENCY'])
    assert.match(text, new RegExp(`^ {2}- WEFT_${name} must be a whole number from 1 to 64`, 'm'))
})

test('a misspelled setting is an error with a suggestion', () => {
  assert.match(
    complaint({ WEFT_PROT: '1' }),
    /WEFT_PROT is not a setting.*did you mean WEFT_PORT\?/,
  )
  assert.match(complaint({ WEFT_DATABASE_URL: 'x' }), /did you mean WEFT_DATABASE\?/)
  assert.doesNotMatch(complaint({ WEFT_ZZZZZZZZ: 'x' }), /did you mean/)
})

test('a URL with credentials, a path or another scheme is not a valid public URL', () => {
  for (const url of [
    'ftp://x.org',
    'https://a:b@x.org',
    'https://x.org/?a',
    'x.org',
    'https://x.org/#a',
  ])
    assert.match(complaint({ WEFT_PUBLIC_URL: url }), /WEFT_PUBLIC_URL must/)
})

test('errors contain no values, because they may be secrets', () => {
  const secret = fc.stringMatching(/^[a-z0-9]{12}$/)
  fc.assert(
    fc.property(secret, (value) => {
      const text = complaint({
        WEFT_DATABASE: `pg://${value}@localhost/weft`,
        WEFT_PUBLIC_URL: `https://weft:${value}@x.org`,
        WEFT_PORT: value,
        WEFT_LOG_LEVEL: value,
        WEFT_TOKEN_SECRET: value,
      })
      assert.ok(!text.includes(value.slice(0, 6)))
    }),
  )
})

test('an embeddings endpoint needs a URL and a model, and a key needs both', () => {
  const url = 'https://api.example.org/v1'
  const both = readConfig({ WEFT_EMBEDDINGS_URL: url, WEFT_EMBEDDINGS_MODEL: 'm' })
  assert.deepEqual(both.embeddings, { url, model: 'm', key: null })
  for (const environment of [
    { WEFT_EMBEDDINGS_URL: url },
    { WEFT_EMBEDDINGS_MODEL: 'm' },
    { WEFT_EMBEDDINGS_KEY: 'k' },
  ])
    assert.match(complaint(environment), /WEFT_EMBEDDINGS_URL must come with WEFT_EMBEDDINGS_MODEL/)
  for (const wrong of ['api.example.org', 'ftp://x.org', 'https://u:p@x.org', 'https://x.org?a=1'])
    assert.match(
      complaint({ WEFT_EMBEDDINGS_URL: wrong, WEFT_EMBEDDINGS_MODEL: 'm' }),
      /WEFT_EMBEDDINGS_URL must/,
    )
  const folder = { WEFT_EMBEDDINGS_FOLDER: '/models/small' }
  assert.deepEqual(readConfig(folder).embeddings, { folder: '/models/small' })
  assert.match(
    complaint({ ...folder, WEFT_EMBEDDINGS_URL: url, WEFT_EMBEDDINGS_MODEL: 'm' }),
    /WEFT_EMBEDDINGS_FOLDER cannot be combined with WEFT_EMBEDDINGS_URL/,
  )
  const secret = complaint({ WEFT_EMBEDDINGS_KEY: 'two words' })
  assert.match(secret, /WEFT_EMBEDDINGS_KEY must be visible/)
  assert.doesNotMatch(secret, /two words/)
})

test('the operator’s documents are read from their files, and tokens must have the required format', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-config-'))
  const [policy, empty] = [join(folder, 'privacy.md'), join(folder, 'empty.md')]
  await writeFile(policy, '# Privacy\n\nWe sell nothing.\n')
  await writeFile(empty, ' \n')
  const key = 'v=MCPv1; k=ed25519; p=yPdsaPXm3DvVJrcwbFwJvHzSHKTAuHOpeLKAfLRfaKY='
  const config = readConfig({
    WEFT_PRIVACY_PAGE: policy,
    WEFT_MCP_REGISTRY_AUTH: key,
    WEFT_OPENAI_APPS_CHALLENGE: 'abc-123',
  })
  assert.equal(config.privacyPolicy, '# Privacy\n\nWe sell nothing.')
  assert.deepEqual(
    [config.termsOfService, config.mcpRegistryAuth, config.openaiAppsChallenge],
    [null, key, 'abc-123'],
  )
  assert.match(complaint({ WEFT_TERMS_PAGE: empty }), /WEFT_TERMS_PAGE names an empty file/)
  assert.match(
    complaint({ WEFT_TERMS_PAGE: join(folder, 'none.md') }),
    /WEFT_TERMS_PAGE names a file that cannot be read: .*none\.md \(ENOENT\)/,
  )
  assert.match(complaint({ WEFT_MCP_REGISTRY_AUTH: 'key' }), /WEFT_MCP_REGISTRY_AUTH must have/)
  assert.match(complaint({ WEFT_OPENAI_APPS_CHALLENGE: 'a b' }), /without spaces/)
  await rm(folder, { recursive: true })
})

test('an owner’s URL requires PostgreSQL', () => {
  const [url, ownerUrl] = ['postgres://serving@db/weft', 'postgres://owner@db/weft']
  const config = readConfig({ WEFT_DATABASE: url, WEFT_OWNER_DATABASE: ownerUrl })
  assert.deepEqual(config.database, { engine: 'postgres', url, ownerUrl })
  const wrong = { WEFT_DATABASE: 'sqlite:x.db', WEFT_OWNER_DATABASE: ownerUrl }
  assert.throws(() => readConfig(wrong), /WEFT_OWNER_DATABASE must come with/)
})
