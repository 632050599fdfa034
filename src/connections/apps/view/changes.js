// The latest changes with their old and new values, each with a button to undo it.

import { action, callTool, connect, element, main, say, tellModel } from './host.js'

function showChanges({ activity = [] }, input = {}) {
  main.replaceChildren(
    element('h1', { textContent: 'Changes' }),
    activity.length === 0 ? element('p', { textContent: 'No changes yet.' }) : '',
    ...activity.map((entry) => entryBox(entry, input)),
  )
}

function entryBox(
  { activity_id, at, by, action: what, subject_id, changes, undoes, undone_by },
  input,
) {
  const title = `${what.replaceAll(/[._]/g, ' ')} ${subject_id}`
  const values = changes.map(({ field, before, after }) =>
    element('li', {
      textContent: `${field.replaceAll('_', ' ')}: ${before ?? '(empty)'} → ${after ?? '(empty)'}`,
    }),
  )
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
      textContent: `${at.slice(0, 16).replace('T', ' ')} UTC, ${by}`,
    }),
    element('ul', {}, ...values),
    undone_by === undefined ? undo : element('span', { className: 'muted', textContent: 'Undone' }),
  )
}

await connect({ title: 'Changes', show: showChanges })
