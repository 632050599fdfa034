/**
 * `/user/exports/…`: downloads the connections that an agent exported, in the browser of the member or, with a one-time
 * link, in any other.
 */

import { LINK } from '../access/one-time-link.ts'
import * as Type from '../base/type.ts'
import { pageRoute, type PageDeps } from '../forms/page-route.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { messagePage, notFoundPage } from '../html/message.page.ts'
import { CONNECTIONS_PATH, CONTACT_FILE_ROUTE, SIGN_IN_PATH } from '../html/site-map.ts'
import { connectionExportFile, findConnectionExport, toldTo } from './connection-export.ts'
import { findLinkedExport, takeExportLink } from './contact-file-link.ts'
import { contactFileAnswer } from './export-response.ts'
import type { Answer } from '../http/response.ts'
import type { Route } from '../http/route.ts'
import type { RequireTool } from '../tools/allowed-tools.ts'

interface ContactFileDeps extends PageDeps {
  readonly requireTool: RequireTool
}

export function contactFileRoute(deps: ContactFileDeps): Route {
  const { database } = deps
  return pageRoute(deps, {
    path: CONTACT_FILE_ROUTE,
    access: 'browser',
    limit: LIMITS.jobs,
    params: Type.Object({ export_id: Type.String() }),
    async handle({ params: { export_id: exportId }, browser: { member }, search, now }) {
      if (member) {
        const db = database.member(member.memberId)
        const own = await findConnectionExport(db, { exportId, now })
        if (own) return { ...contactFileAnswer(own, connectionExportFile(db, own)), page: true }
      }
      const secret = new URLSearchParams(search).get(LINK) ?? ''
      const answer = await answerLink(deps, { exportId, secret, now })
      return answer ?? (member ? GONE : SIGN_IN)
    },
  })
}

async function answerLink(
  { database, requireTool }: ContactFileDeps,
  link: { readonly exportId: string; readonly secret: string; readonly now: number },
): Promise<Answer | undefined> {
  const linked = await findLinkedExport(database, link)
  if (!linked) return undefined
  const { db, exported, limits } = linked
  requireTool({ limits }, 'export_connections')
  const file = connectionExportFile(db, exported, toldTo(limits))
  // A HEAD request does not read the stream, so it does not use the link.
  const once = (async function* once() {
    if (await takeExportLink(database, link.secret, link.now)) yield* file
    else throw new Error('a one-time link was used twice at the same time')
  })()
  return { ...contactFileAnswer(exported, once), page: true }
}

const GONE = notFoundPage(
  'This export is no longer available',
  'Exports are kept for a day. Ask your agent for a new one.',
  { href: CONNECTIONS_PATH, label: 'Go to your connections' },
)

const SIGN_IN = messagePage({
  status: 403,
  title: 'Sign in to download this file',
  text: 'The link works without signing in only once, within 10 minutes. Sign in, then open it again.',
  action: { href: SIGN_IN_PATH, label: 'Sign in' },
})
