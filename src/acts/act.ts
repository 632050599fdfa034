/**
 * What operators can do. One definition gives the command of `weft` with its help, what the admin pages run, the entry in the
 * audit log and the one in the member's activity.
 */

import { recordAdminAction } from '../members/admin-log.ts'
import { recordSecurityEvent } from '../tools/security-events.ts'
import type { SmtpSettings } from '../email/smtp.ts'
import type { AllowedHosts } from '../deliveries/endpoint-hosts.ts'
import type { SealSecret } from '../deliveries/seal-for-member.ts'
import type {
  Database,
  MemberDatabase,
  MemberTransaction,
  SharedTransaction,
  Transaction,
  WriteOptions,
} from '../db/database.ts'
import type { JobProgress } from '../jobs/job.ts'
import type { Member } from '../members/member-row.ts'
import type { OidcSettings } from '../sign-in/provider/provider.ts'
import type { SignUp } from '../sign-in/session/admission.ts'
import type { AdminAction, SecurityEventName } from '../tools/activity-action.ts'
import type { Fields, Values } from './act-arguments.ts'

export interface ActSettings {
  /** Without a slash at its end; null while only the running service knows its port. */
  readonly publicUrl: string | null
  readonly oidc: OidcSettings | null
  readonly signUp: SignUp
  /** `WEFT_MONTHLY_CREDITS`. */
  readonly quota: number
  readonly smtp: SmtpSettings | null
  readonly webhookHosts: AllowedHosts
  readonly sealSecret: SealSecret
}

interface Operator {
  /** The username of the admin; null for the command line. */
  readonly admin: string | null
  /** The name in the activity of the member. */
  readonly actor: string
  /** For the audit log. */
  readonly reason?: string
}

export interface ServiceCall {
  readonly database: Database
  readonly settings: ActSettings
  readonly operator: Operator
  /** When the act began, in milliseconds. */
  readonly now: number
  /** A command to paste. */
  readonly command: (args: string) => string
}

export type ActMember = Pick<Member, 'memberId' | 'username' | 'name' | 'email'>

/** `M` is undefined for acts that concern no single member. */
export type Call<M> = ServiceCall &
  (M extends string ? { readonly member: ActMember; readonly db: MemberDatabase } : object)

/** An act on an account or on the service gets the shared transaction; one on a network, a transaction that locks the member. */
type ChangeCall<M> = Call<M> &
  (M extends 'option' ? object : { readonly tx: Transaction }) &
  (M extends string ? { readonly mine: MemberTransaction } : object)

/** What a command prints. */
export interface Output {
  /** For programs, such as a new secret: alone on standard output. */
  readonly result?: string
  /** For people. */
  readonly say?: string
  /** For people at a terminal, below the result. */
  readonly note?: string
}

interface Described<F, M> {
  /** The words of the command, such as `token create`. */
  readonly name: string
  readonly summary: string
  readonly help?: string
  /** How the command names its member: `<username>` or `--member <username>`. */
  readonly member?: M
  /** By default it must exist. */
  readonly databaseMay?: 'be created' | 'be missing'
  readonly fields?: F
}

/** What the audit log says. */
export interface AuditAction {
  /** Identifies the act in the audit log. */
  readonly action: string
  /** For people, such as `Created an API token`. */
  readonly label: string
}

interface About {
  readonly member?: string
  readonly reason?: string | undefined
}

type MemberChoice = 'argument' | 'option' | undefined

/** A list as a table or, with `--json`, as JSON lines. */
export interface ListAct<F = Fields, M = MemberChoice, Entry = object> extends Described<F, M> {
  list(call: Call<M>, values: Values<F>): Promise<readonly Entry[]>
  /** What to say if there are no entries. */
  none(call: Call<M>): string
  /** The columns of the table; by default all. */
  readonly columns?: readonly string[]
}

/** One thing as text or, with `--json`, as JSON. */
export interface ShowAct<F = Fields, M = MemberChoice, Shown = object> extends Described<F, M> {
  show(call: Call<M>, values: Values<F>): Promise<Shown>
  /** A sentence, or values by their labels. */
  text(shown: Shown): string | Readonly<Record<string, string>>
}

/** A change in one transaction with its entries. */
export interface ChangeAct<F = Fields, M = MemberChoice, Result = unknown, Prepared = unknown>
  extends Described<F, M>, AuditAction, WriteOptions {
  /** The entry in the member's activity. */
  readonly event?: SecurityEventName | AdminAction
  /** What happens before the transaction, such as a confirmation or a slow hash. */
  prepare?(call: Call<M>, values: Values<F>): Promise<Prepared>
  /** Returns undefined if there was nothing to do: then nothing is recorded. */
  change(call: ChangeCall<M>, values: Values<F>, prepared: Prepared): Promise<Result | undefined>
  /** For the audit log: the member, if the command names none, and what was changed. */
  about?(values: Values<F>, result: Result): About
  /** After the transaction. */
  done(result: Result, call: Call<M>, values: Values<F>): Output | string | Promise<Output | string>
}

/** An act with transactions of its own. Its entry is written before it begins. */
export interface TaskAct<F = Fields, M = MemberChoice> extends Described<F, M>, AuditAction {
  about?(values: Values<F>): About
  run(call: Call<M>, values: Values<F>, console: Console): Promise<Output | string>
}

/** What a command offers to an act that takes long. */
interface Console {
  readonly progress: (label: string) => { show(progress: JobProgress): void; stop(): void }
  /** Aborts with the name of a signal. */
  readonly signal: AbortSignal
  /** The error of an act that a signal ended. */
  readonly stopped: (message: string) => Error
}

export type Act = ListAct | ShowAct | ChangeAct | TaskAct

type NoFields = Readonly<Record<string, never>>

// These functions only infer types.

/** Defines an act that lists. */
export function listAct<Entry extends object, const F = NoFields, const M = undefined>(
  act: ListAct<F, M, Entry> & { readonly columns?: readonly (keyof Entry)[] },
): ListAct<F, M, Entry> {
  return act
}

/** Defines an act that shows one thing. */
export function showAct<Shown extends object, const F = NoFields, const M = undefined>(
  act: ShowAct<F, M, Shown>,
): ShowAct<F, M, Shown> {
  return act
}

/** Defines an act that changes something. */
export function changeAct<Result, const F = NoFields, const M = undefined, Prepared = undefined>(
  act: ChangeAct<F, M, Result, Prepared>,
): ChangeAct<F, M, Result, Prepared> {
  return act
}

/** Defines an act with transactions of its own. */
export function taskAct<const F = NoFields, const M = undefined>(
  act: TaskAct<F, M>,
): TaskAct<F, M> {
  return act
}

/** Runs a change in its transaction and writes its entries. Undefined if there was nothing to do. */
export async function runChange<F, M extends MemberChoice, Result, Prepared>(
  act: ChangeAct<F, M, Result, Prepared>,
  call: ChangeCall<M>,
  values: Values<F>,
  prepared: Prepared,
): Promise<Result | undefined> {
  const result = await act.change(call, values, prepared)
  if (result === undefined) return undefined
  const about = act.about?.(values, result)
  // `M` decides which of them there are.
  const { tx, mine } = call as Partial<ChangeCall<'argument'>>
  const shared = tx ?? mine?.shared
  if (!shared) throw new TypeError(`${act.name} has no transaction`)
  await recordAct(shared, act, call, about)
  const { event } = act
  if (event === undefined || !mine) return result
  const details = about?.reason === undefined ? {} : { details: { name: about.reason } }
  await recordSecurityEvent(mine, { event, actor: call.operator.actor, ...details }, call.now)
  return result
}

/** Writes the entry in the audit log. */
export async function recordAct(
  tx: SharedTransaction,
  { action }: Pick<AuditAction, 'action'>,
  call: ServiceCall & { readonly member?: ActMember },
  about: About = {},
): Promise<void> {
  const { operator, now: at } = call
  const member = call.member?.username ?? about.member ?? null
  const reason = about.reason ?? operator.reason ?? null
  await recordAdminAction(tx, { at, admin: operator.admin, action, member, reason })
}
