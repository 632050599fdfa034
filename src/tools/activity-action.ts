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
  | 'device_created'
  | 'device_revoked'
  | 'device_paused'
  | 'device_confirmed'
  | 'device_fields_changed'
  | 'agent_connected'
  | 'agent_disconnected'
  | 'agent_limits_changed'
  | 'cloud_agent_removed'
  | 'identity_linked'
  | 'access_revoked'

/** Admin actions on accounts. The member sees them but cannot undo them. */
export type AdminAction = 'disable' | 'enable' | 'promote' | 'demote' | 'reset_link'

/** Kind of account changes. */
export const ACCOUNT_KIND = 'account'

/** The action of an undo; `undoes` names the reverted change. */
export const UNDO_ACTION = 'undo'

/** The tool that makes each kind of change. An agent may undo a change if it may use the tool. */
export const CHANGING_TOOLS = {
  'cadence.set': 'keep_in_touch',
  'cadence.tag': 'keep_in_touch',
  'connection.add': 'add_connections',
  'connection.update': 'update_connections',
  'connections.add': 'add_connections',
  'connections.delete': 'delete_connections',
  'connections.import': 'import_connections',
  'connections.merge': 'resolve_duplicates',
  'connections.restore': 'restore_connections',
  'connections.not_duplicates': 'resolve_duplicates',
  'connections.split': 'resolve_duplicates',
  'connections.sync': 'update_connections',
  'connections.tag': 'update_connections',
  'connections.update': 'update_connections',
  'custom_field.delete': 'set_custom_field',
  'custom_field.move': 'set_custom_field',
  'custom_field.set': 'set_custom_field',
  'follow_up.complete': 'save_follow_up',
  'follow_up.delete': 'delete_follow_up',
  'follow_up.set': 'save_follow_up',
  'follow_ups.set': 'save_follow_up',
  'interaction.delete': 'delete_interaction',
  'interaction.set': 'log_interaction',
  'interactions.sync': 'log_interaction',
  'note.add': 'save_note',
  'note.delete': 'delete_note',
  'note.update': 'save_note',
  'notes.add': 'save_note',
  'profile.update': 'update_profile',
  // Saved on the page of people.
  'view.delete': 'update_connections',
  'view.save': 'update_connections',
} as const

export type ActivityAction =
  | keyof typeof CHANGING_TOOLS
  | `${typeof ACCOUNT_KIND}.${SecurityEventName | AdminAction}`
  | typeof UNDO_ACTION
