/** The version of public pages and errors for signed-in members: the same content in their workspace. */

import { browserRequestReader } from '../access/browser-session.ts'
import { filledIn, type PageDeps } from '../forms/page-route.ts'
import { namesByPreference } from '../http/content/accept.ts'
import { withFormToken } from '../http/form-guard.ts'
import { inLanguage } from '../languages/language.ts'
import { requestLanguage } from '../languages/request-language.ts'
import { sidebarReader } from './read-sidebar.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import type { MemberVersion } from '../http/handle-request.ts'

interface VersionDeps extends Pick<PageDeps, 'database' | 'clock'> {
  readonly publicUrl: string
  readonly demo?: 'on' | 'off'
  readonly embedder: Embedder
}

/** Returns the renderer for these dependencies. */
export function memberVersion(deps: VersionDeps): MemberVersion {
  const readBrowserRequest = browserRequestReader(deps)
  const readSidebar = sidebarReader(deps)
  return async (forMember, cookies, languages) => {
    const { member, ...browser } = await readBrowserRequest(cookies)
    if (!member) return undefined
    const language = requestLanguage(member.language, namesByPreference(languages))
    return inLanguage(language, async () => {
      const signedIn = { ...browser, member }
      const answer = forMember(signedIn)
      if (!answer) return undefined
      const [db, now] = [deps.database.member(member.memberId), deps.clock.now()]
      const page = await filledIn({ readSidebar }, { browser: signedIn, db, now }, answer)
      return withFormToken(page, browser)
    })
  }
}
