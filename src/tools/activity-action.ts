/** The actions in the activity log. A new kind of change is added here first; its name is public and never changes. */

/** Changes to who can access the account, which cannot be undone. */
export type SecurityEventName =
  | 'session_started'
  | 'session_ended'
  | 'password_changed'
  | 'password_reset'
  | 'email_changed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'token_created'
  | 'token_revoked'
  | 'agent_connected'
  | 'agent_disconnected'
  | 'agent_limits_changed'
  | 'cloud_agent_removed'
  | 'identity_linked'
  | 'access_revoked'

/** Admin actions on accounts. The member sees them but cannot undo them. */
export const ADMIN_ACTIONS = ['disable', 'enable', 'promote', 'demote', 'reset_link'] as const
export type AdminAction = (typeof ADMIN_ACTIONS)[number]

/** Kind of account changes. */
export const ACCOUNT_KIND = 'account'

/** The action of an undo; `undoes` names the reverted change. */
export const UNDO_ACTION = 'undo'

export type ActivityAction =
  | 'connection.add'
  | 'connection.update'
  | 'connections.add'
  | 'connections.delete'
  | 'connections.import'
  | 'connections.merge'
  | 'connections.restore'
  | 'connections.not_duplicates'
  | 'connections.split'
  | 'connections.tag'
  | 'custom_field.delete'
  | 'custom_field.move'
  | 'custom_field.set'
  | 'follow_up.complete'
  | 'follow_up.delete'
  | 'follow_up.set'
  | 'note.add'
  | 'note.delete'
  | 'note.update'
  | 'profile.update'
  | `${typeof ACCOUNT_KIND}.${SecurityEventName | AdminAction}`
  | typeof UNDO_ACTION
