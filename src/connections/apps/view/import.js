// An import: its progress until it has ended, then its report, with a button to undo it.

import { action, callTool, capabilities, connect, element, main, say, tellModel } from './host.js'

const COUNTS = ['created', 'updated', 'unchanged', 'skipped', 'rejected_count']
const LABELS = { rejected_count: 'rejected' }

async function showImport(handle) {
  draw(handle)
  if (handle.terminal || !capabilities.serverTools) return
  await new Promise((resolve) => setTimeout(resolve, Math.max(1, handle.retry_after_s) * 1000))
  await callTool('get_job', { task_id: handle.task_id }).then(showImport, (error) =>
    say(error.message, true),
  )
}

function draw({ task_id, state, terminal, progress, result, error }) {
  main.replaceChildren(
    element('h1', { textContent: 'Import' }),
    element('p', {
      className: 'muted',
      textContent: `${state}${progress?.message ? `: ${progress.message}` : ''}`,
    }),
    terminal ? '' : progressBar(progress),
    ...(error
      ? [element('p', { className: 'error', textContent: error.detail ?? error.message })]
      : []),
    ...(result ? reportOf(result) : []),
    result && terminal ? undoButton(task_id) : '',
  )
}

function progressBar(progress) {
  const bar = element('progress', { ariaLabel: 'Progress' })
  if (progress?.total) Object.assign(bar, { max: progress.total, value: progress.done })
  return bar
}

function reportOf(report) {
  const counts = COUNTS.filter((name) => report[name] !== undefined)
  const rejected = report.rejected ?? []
  return [
    element(
      'ul',
      {},
      ...counts.map((name) =>
        element('li', { textContent: `${report[name]} ${LABELS[name] ?? name}` }),
      ),
    ),
    ...(rejected.length === 0 ? [] : [element('h2', { textContent: 'Rejected rows' })]),
    element(
      'ul',
      {},
      ...rejected.map(({ line, reason }) =>
        element('li', { textContent: `Line ${line}: ${reason}` }),
      ),
    ),
  ]
}

function undoButton(taskId) {
  return (
    action('Undo import', async () => {
      const { activity } = await callTool('list_activity', { limit: 50 })
      const change = activity.find(({ subject_id }) => subject_id === taskId)
      if (!change) throw new Error('The import is no longer among the last 50 changes.')
      await callTool('undo', { activity_id: change.activity_id })
      tellModel(`The person undid the import ${taskId}.`)
      main.querySelector('button').remove()
      say('Import undone. Later edits were kept.')
    }) ?? ''
  )
}

await connect({ title: 'Import', show: showImport })
