/** The endpoint reference, generated from the route records. */

import { originalRoutes } from '../openapi/described-routes.ts'
import { schemaTable } from './schema-table.ts'
import { pathTag, pathTags } from '../openapi/tags.ts'
import { pathTemplate, type Access, type Route } from '../../http/route.ts'

export function endpointReference(routes: readonly Route[], publicUrl: string): string {
  const described = originalRoutes(routes)
  return [
    '# Endpoints',
    `All paths are relative to \`${publicUrl}\`. Conventions of every endpoint: [the HTTP API](${publicUrl}/docs/http). For programs: [openapi.json](${publicUrl}/openapi.json). The sandbox has copies of the endpoints that need no credential; \`GET ${publicUrl}/sandbox\` lists them.`,
    ...pathTags(described.map(({ path }) => path)).flatMap(({ name, description }) => {
      const there = described.filter(({ path }) => pathTag(path) === name)
      return [`## ${name}`, description].concat(there.map(section))
    }),
  ].join('\n\n')
}

function section(route: Route): string {
  const { method, path, summary, description, params, body, answers } = route
  const query = route.query ?? route.uncheckedQuery
  const parts = [
    `### ${method} ${pathTemplate(path)}`,
    [`${summary}.`, description, traitsOf(route)].filter((text) => text !== undefined).join(' '),
    params && schemaTable('in the path', params),
    query && schemaTable('query', query),
    body?.kind === 'json' ? schemaTable('body', body.schema) : undefined,
    body?.kind === 'form' && body.fields ? schemaTable('form', body.fields) : undefined,
    Object.entries(answers)
      .map(([status, answer]) => `- ${status}: ${answer.description}`)
      .join('\n'),
  ]
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}

const CREDENTIAL: Readonly<Record<Access, string>> = {
  public: 'Needs no credential.',
  bearer: 'Needs a bearer token.',
  device: 'Needs the password of a device.',
  browser: 'Opens in a browser.',
  session: 'Opens in a signed-in browser.',
}

function traitsOf({ access, limit, idempotent }: Route): string {
  return [
    CREDENTIAL[access],
    ...(limit ? [`Rate limit: \`${limit.name}\`, per ${limit.per}.`] : []),
    ...(idempotent === true ? ['Supports `Idempotency-Key`.'] : []),
  ].join(' ')
}
