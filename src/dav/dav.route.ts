/** The routes of CardDAV: discovery, properties, reports and cards. */

import * as Type from '../base/type.ts'
import { RequestError } from '../base/request-error.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { defineRoute, type Method, type Route, type RouteRequest } from '../http/route.ts'
import { empty, type Answer } from '../http/response.ts'
import { writeDavError, writeProblem } from './dav-error.ts'
import { BOOK_NAME, cardHref, DAV_PATH, WELL_KNOWN_PATH } from './hrefs.ts'
import { propfind, proppatch } from './propfind.ts'
import { report } from './report.ts'
import { MAX_CARD_BYTES, type Asking, type DavResource } from './resource.ts'
import type { AddressBook } from './book.ts'
import type { DeviceCaller } from '../http/caller.ts'
import type { BytesBody } from '../http/body/body-types.ts'

interface DavDeps {
  /** The address book that a device syncs. */
  readonly addressBook: (device: DeviceCaller) => AddressBook
}

/** A multiget of all cards of a large book. */
const XML_BODY = { kind: 'bytes', types: ['*/*'], maxBytes: 4 * 1024 * 1024 } as const

const CARD_BODY = { kind: 'bytes', types: ['*/*'], maxBytes: MAX_CARD_BYTES } as const

const CLASSES = { dav: '1, 3, access-control, addressbook' }

const ANSWERS = { 207: { description: 'Multistatus', type: 'application/xml' } } as const

export function davRoutes(deps: DavDeps): Route[] {
  return [...discoveryRoutes(deps), ...bookRoutes(deps), ...cardRoutes(deps)]
}

type DavRequest = RouteRequest<undefined, undefined, BytesBody, 'device'>

const Member = Type.Object({ member: Type.String({ pattern: '^[0-9]{1,12}$' }) })
const Name = Type.Object({ member: Member.properties.member, name: Type.String({ minLength: 1 }) })

async function askingOf(deps: DavDeps, { caller }: Pick<DavRequest, 'caller'>): Promise<Asking> {
  const { memberId, name, email } = caller
  const book = deps.addressBook(caller)
  return { principal: { memberId, name, email }, book, state: await book.readState() }
}

/** @throws {RequestError} `not_found` when the path is that of another member. */
function assertOwn({ member }: { readonly member: string }, { memberId }: DeviceCaller): void {
  if (member !== String(memberId)) throw new RequestError('not_found', 'No such address book.')
}

interface PropertyRoute {
  readonly path: string
  readonly name: string
  readonly resource: DavResource
}

/** PROPFIND, PROPPATCH and REPORT of a collection. */
function propertyRoutes(deps: DavDeps, { path, name, resource }: PropertyRoute): Route[] {
  const shared = {
    path,
    access: 'device',
    params: path.includes(':member') ? Member : undefined,
    body: XML_BODY,
    answers: ANSWERS,
    limit: LIMITS.dav,
    onError: writeDavError,
    trailingSlash: true,
    optionsHeaders: CLASSES,
  } as const
  const asking = async (request: DavRequest): Promise<Asking> => {
    if ('member' in request.params)
      assertOwn(request.params as { readonly member: string }, request.caller)
    return askingOf(deps, request)
  }
  return [
    defineRoute({
      ...shared,
      method: 'PROPFIND',
      operationId: `find${name}Properties`,
      summary:
        path === DAV_ROOT ? 'Address book for contacts apps, by CardDAV' : `Properties of ${name}`,
      described: path === DAV_ROOT,
      async handle(request) {
        const { body, header } = request
        return propfind(resource, { body, depth: header('depth') }, await asking(request))
      },
    }),
    defineRoute({
      ...shared,
      method: 'PROPPATCH',
      operationId: `change${name}Properties`,
      summary: `Change properties of ${name}`,
      handle: async (request) => proppatch(resource, request.body, await asking(request)),
    }),
    defineRoute({
      ...shared,
      method: 'REPORT',
      operationId: `report${name}`,
      summary: `Report on ${name}`,
      handle: async (request) => report(resource, request.body, await asking(request)),
    }),
  ]
}

/** Without its slash, which is optional in requests. */
const DAV_ROOT = DAV_PATH.slice(0, -1)

const WELL_KNOWN_METHODS: readonly Method[] = ['GET', 'PROPFIND', 'REPORT', 'PROPPATCH']

/** Every method is redirected, and the root of the host answers PROPFIND too (RFC 6764 section 5). */
function discoveryRoutes(deps: DavDeps): Route[] {
  const redirect = (): Promise<Answer> =>
    Promise.resolve(empty(301, { location: DAV_PATH, 'cache-control': 'no-cache' }))
  return [
    ...WELL_KNOWN_METHODS.map((method) =>
      defineRoute({
        method,
        path: WELL_KNOWN_PATH,
        operationId: `discoverCardDav${method}`,
        summary: 'Where CardDAV is',
        access: 'public',
        forPeople: true,
        answers: { 301: { description: 'Redirect', headers: ['Location'] } },
        optionsHeaders: CLASSES,
        handle: redirect,
      }),
    ),
    ...propertyRoutes(deps, {
      path: '/',
      name: 'Host',
      resource: { kind: 'root', path: '/' },
    }).filter(({ method }) => method === 'PROPFIND'),
  ]
}

function bookRoutes(deps: DavDeps): Route[] {
  const principal = `${DAV_ROOT}/:member`
  return [
    ...propertyRoutes(deps, {
      path: DAV_ROOT,
      name: 'AddressBooks',
      resource: { kind: 'root', path: DAV_PATH },
    }),
    ...propertyRoutes(deps, {
      path: principal,
      name: 'Principal',
      resource: { kind: 'principal' },
    }),
    ...propertyRoutes(deps, {
      path: `${principal}/${BOOK_NAME}`,
      name: 'AddressBook',
      resource: { kind: 'book' },
    }),
  ]
}

interface CardRequest extends Pick<DavRequest, 'caller' | 'header'> {
  readonly params: { readonly member: string; readonly name: string }
}

const CARD_ROUTE = {
  path: `${DAV_ROOT}/:member/${BOOK_NAME}/:name`,
  access: 'device',
  params: Name,
  limit: LIMITS.dav,
  onError: writeDavError,
  optionsHeaders: CLASSES,
} as const

/** GET, PUT, DELETE, PROPFIND and REPORT of one card. */
function cardRoutes(deps: DavDeps): Route[] {
  return [
    readCardRoute(deps),
    ...writeCardRoutes(deps),
    cardPropertiesRoute(deps, 'PROPFIND'),
    cardPropertiesRoute(deps, 'REPORT'),
  ]
}

function openCard(deps: DavDeps, { params, caller }: CardRequest) {
  assertOwn(params, caller)
  const book = deps.addressBook(caller)
  return { book, name: params.name, href: (name: string) => cardHref(caller.memberId, name) }
}

function readCardRoute(deps: DavDeps): Route {
  return defineRoute({
    ...CARD_ROUTE,
    method: 'GET',
    operationId: 'readCard',
    summary: 'A card',
    answers: { 200: { description: 'The vCard', type: 'text/vcard' } },
    async handle(request) {
      const { book, name } = openCard(deps, request)
      await book.readState()
      const isVersion4 = /version\s*=\s*"?4\.0/i.test(request.header('accept') ?? '')
      const [found] = await book.read([name], isVersion4 ? '4.0' : '3.0')
      if (!found) throw noCard()
      return {
        status: 200,
        headers: {
          'content-type': 'text/vcard; charset=utf-8',
          etag: found.etag,
          'last-modified': new Date(found.changedAt).toUTCString(),
          'cache-control': 'private, no-cache, no-transform',
        },
        body: found.text,
      }
    },
  })
}

function writeCardRoutes(deps: DavDeps): Route[] {
  const conditions = ({ header }: CardRequest) => ({
    ifMatch: header('if-match'),
    ifNoneMatch: header('if-none-match'),
  })
  return [
    defineRoute({
      ...CARD_ROUTE,
      method: 'PUT',
      operationId: 'writeCard',
      summary: 'Store a card',
      body: CARD_BODY,
      answers: { 201: { description: 'Created' }, 204: { description: 'Stored' } },
      async handle(request) {
        const { book, name, href } = openCard(deps, request)
        assertName(name)
        const result = await book.put(name, request.body, conditions(request))
        if ('problem' in result) return writeProblem(result.problem, href)
        const { isNew, etag } = result
        return empty(isNew ? 201 : 204, {
          ...(isNew && { location: href(name) }),
          ...(etag !== undefined && { etag }),
        })
      },
    }),
    defineRoute({
      ...CARD_ROUTE,
      method: 'DELETE',
      operationId: 'deleteCard',
      summary: 'Delete a card',
      answers: { 204: { description: 'Deleted' } },
      async handle(request) {
        const { book, name, href } = openCard(deps, request)
        const result = await book.remove(name, conditions(request))
        return 'problem' in result ? writeProblem(result.problem, href) : empty()
      },
    }),
  ]
}

function cardPropertiesRoute(deps: DavDeps, method: 'PROPFIND' | 'REPORT'): Route {
  return defineRoute({
    ...CARD_ROUTE,
    method,
    operationId: method === 'REPORT' ? 'reportCard' : 'findCardProperties',
    summary: 'Properties of a card',
    body: XML_BODY,
    answers: ANSWERS,
    async handle(request) {
      const { params, body, header } = request
      assertOwn(params, request.caller)
      const asking = await askingOf(deps, request)
      const [entry] = await asking.book.list([params.name])
      if (!entry) throw noCard()
      const resource = { kind: 'card', entry } as const
      return method === 'REPORT'
        ? report(resource, body, asking)
        : propfind(resource, { body, depth: header('depth') }, asking)
    },
  })
}

function noCard(): RequestError {
  return new RequestError('not_found', 'The address book has no such card.')
}

/** @throws {RequestError} `forbidden` when the name has control characters, which databases and clients do not agree on. */
function assertName(name: string): void {
  if (/\p{Cc}/u.test(name))
    throw new RequestError('forbidden', 'The name of a card cannot have control characters.')
}
