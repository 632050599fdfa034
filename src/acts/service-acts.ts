/** Acts with one word or one command: connection attempts, the demo account, and the account for reviewers. */

import { createPasswordHasher } from '../access/passwords/password-hash.ts'
import { hashPassword, setPassword } from '../access/passwords/password.ts'
import { rfc3339 } from '../base/clock.ts'
import { newSecret } from '../base/secrets.ts'
import { requirePublicUrl } from '../config/config.ts'
import { storeUnlessDuplicate } from '../connections/editing/add-connection.ts'
import { phrase } from '../languages/message.ts'
import { createMember } from '../members/member.ts'
import { listAttempts } from '../oauth/attempts/attempt-store.ts'
import { diagnoseAttempt } from '../oauth/attempts/connection-attempt.ts'
import { changeAct, listAct, taskAct } from './act.ts'
import { seedNetwork } from './demo-network.ts'
import { optionOr } from './act-arguments.ts'
import { assertPasswordsEnabled } from './sign-in-acts.ts'
import { restoreDemo } from './seed-demo.ts'

export const ATTEMPT_ACTS = [
  listAct({
    name: 'attempts',
    summary: "List the last attempts of a member's agents to connect, with the failed step",
    member: 'option',
    async list({ db, now }) {
      return (await listAttempts(db)).map((attempt) => {
        const { state, step, cause } = diagnoseAttempt(attempt, now)
        return {
          app: attempt.clientName,
          redirect_host: attempt.redirectHost,
          state,
          step: step ?? null,
          cause: cause ?? null,
          started_at: rfc3339(attempt.startedAt),
          last_seen_at: rfc3339(attempt.updatedAt),
        }
      })
    },
    none: () =>
      'No attempts. An attempt appears once the member opens the authorization page of an app. /admin/attempts shows attempts that have not reached that page.',
    columns: ['app', 'state', 'step', 'last_seen_at', 'cause'],
  }),
]

export const DEMO_ACTS = [
  taskAct({
    name: 'demo seed',
    summary: 'Create the demo account with its 200 invented people, if it does not exist',
    action: 'seed_demo',
    label: phrase('Created the demo account'),
    databaseMay: 'be created',
    async run({ database, now }) {
      return (await restoreDemo(database, now)) === 'created'
        ? 'Created the demo account.'
        : 'The demo account already exists.'
    },
  }),
]

export const REVIEWER_ACTS = [
  changeAct({
    name: 'reviewer',
    summary: 'Prepare an account with 200 invented people for the reviewers of a directory',
    action: 'create',
    label: phrase('Created the account'),
    databaseMay: 'be created',
    fields: {
      username: optionOr('username', 'of the account', 'reviewer', {
        read: (text) => text,
        rule: '',
      }),
    },
    async prepare({ settings }) {
      assertPasswordsEnabled(settings)
      requirePublicUrl(settings)
      const password = newSecret('').slice(0, PASSWORD_LENGTH)
      return { password, hash: await hashPassword(createPasswordHasher(), password) }
    },
    async change({ tx, now }, { username }, { password, hash }) {
      const { memberId } = await createMember(tx, { ...REVIEWER, username }, now)
      const mine = tx.member(memberId)
      await seedNetwork(mine, now)
      await storeUnlessDuplicate({ tx: mine, now }, SAME_PERSON)
      await setPassword(mine, hash, now)
      return { password }
    },
    about: ({ username: member }) => ({ member, reason: 'reviewer' }),
    done: ({ password }, { settings, command }, { username }) => ({
      result: sheetOf(requirePublicUrl(settings), username, password),
      say: `Copy the password now; you won't see it again. After the review:\n  ${command(`member disable ${username}`)}`,
    }),
  }),
]

/** Someone of the 200 people again, for the prompt about duplicates. */
const SAME_PERSON = {
  name: 'J. Vogelsang',
  company: 'Kesselhain Ventures',
  location: 'Berlin, Germany',
  allow_duplicate: true,
}

const REVIEWER = { name: 'Reviewer', isPublic: false }

/** About 140 bits. */
const PASSWORD_LENGTH = 24

/** What a submission form asks for. */
function sheetOf(publicUrl: string, username: string, password: string): string {
  return [
    `Server URL: ${publicUrl}/mcp (streamable HTTP, OAuth)`,
    `Sign in:    ${publicUrl}/sign-in`,
    `Username:   ${username}`,
    `Password:   ${password}`,
    '',
    'The account has 200 invented people with notes and tags, one of them twice. Example prompts:',
    ...EXAMPLE_PROMPTS.map((prompt) => `- ${prompt}`),
  ].join('\n')
}

/** Each uses other tools. `docs/directories.md` lists them as well. */
const EXAMPLE_PROMPTS = [
  'Which climate investors do I know in Berlin?',
  'Prepare me for a meeting with Jonas Vogelsang.',
  'Remind me in two weeks to write to Lucía Etxeberria about the pilot.',
  'Who is in my network twice? Show me the evidence before you merge anyone.',
  'Undo your last change.',
]
