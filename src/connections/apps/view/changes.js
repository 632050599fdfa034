// The latest changes with their old and new values, each with a button to undo it.

import {
  action,
  callTool,
  connect,
  element,
  main,
  say,
  tellModel,
  timeText,
  valueText,
} from './host.js'

/** Before the names of the people that a change is about. */
const VERBS = {
  'connection.add': 'Added',
  'connection.update': 'Changed',
  'connections.add': 'Added',
  'connections.delete': 'Deleted',
  'connections.import': 'Imported contacts',
  'connections.merge': 'Merged',
  'connections.restore': 'Restored',
  'connections.not_duplicates': 'Marked as different people:',
  'connections.split': 'Split',
  'connections.tag': 'Changed the tags of',
  'custom_field.delete': 'Deleted a custom field',
  'custom_field.move': 'Moved a custom field',
  'custom_field.set': 'Changed a custom field',
  'follow_up.complete': 'Completed a follow-up with',
  'follow_up.delete': 'Deleted a follow-up with',
  'follow_up.set': 'Planned or changed a follow-up with',
  'note.add': 'Added a note about',
  'note.delete': 'Deleted a note about',
  'note.update': 'Changed a note about',
  'profile.update': 'Changed your profile',
  undo: 'Undid a change to',
}

/** IDs, and values that only an undo needs. */
const BOOKKEEPING = /(^|_)id$|^(notes|follow_ups|moved_rows|tags_source|custom_fields|next)$/

function titleOf({ action: what, names = [] }) {
  const words = what.replace(/^account\./, '').replaceAll(/[._]/g, ' ')
  const verb = VERBS[what] ?? words.charAt(0).toUpperCase() + words.slice(1)
  if (names.length === 0) return verb.replace(/ (?:about|with|to|of)$/, '')
  return `${verb} ${names.join(', ')}`
}

function changeText({ field, before, after }) {
  const words = field.startsWith('custom.') ? 'custom field' : field.replaceAll('_', ' ')
  const label = words.charAt(0).toUpperCase() + words.slice(1)
  if (before === undefined) return `${label}: ${valueText(after)}`
  return `${label}: ${valueText(before)} → ${after === undefined ? 'empty' : valueText(after)}`
}

function showChanges({ activity = [] }, input = {}) {
  main.replaceChildren(
    element('h1', { textContent: 'Changes' }),
    activity.length === 0 ? element('p', { textContent: 'No changes yet.' }) : '',
    ...activity.map((entry) => entryBox(entry, input)),
  )
}

function entryBox(entry, input) {
  const { activity_id, at, by, changes, undoes, undone_by } = entry
  const title = titleOf(entry)
  const values = changes
    .filter(({ field }) => !BOOKKEEPING.test(field))
    .map((change) => element('li', { textContent: changeText(change) }))
  const undo = action(undoes === undefined ? 'Undo' : 'Redo', async () => {
    await callTool('undo', { activity_id })
    tellModel(`The person undid ${activity_id} (${title}).`)
    showChanges(await callTool('list_activity', input), input)
    say('Undone.')
  })
  return element(
    'section',
    { className: 'entry' },
    element('strong', { textContent: title }),
    element('p', {
      className: 'muted',
      textContent: `${timeText(at)}, ${by}`,
    }),
    element('ul', {}, ...values),
    undone_by === undefined ? undo : element('span', { className: 'muted', textContent: 'Undone' }),
  )
}

await connect({ title: 'Changes', show: showChanges })
