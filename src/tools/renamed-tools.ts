/** Tools that clients may have learned by an earlier name, with the tool that does the same. */

export const RENAMED_TOOLS: ReadonlyMap<string, string> = new Map([
  ['list_connections', 'search_connections'],
  ['list_custom_fields', 'get_network_summary'],
  ['list_notes', 'list_timeline'],
  ['list_reconnects', 'list_who_to_contact'],
  ['set_cadence', 'keep_in_touch'],
])
