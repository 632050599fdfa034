// An import: its preview with a button to start it, its progress until it has ended, then its report, with a button to
// undo it.

import { action, callTool, capabilities, connect, element, main, say, tellModel } from './host.js'

const COUNTS = ['created', 'updated', 'unchanged', 'skipped', 'rejected_count', 'review']
const LABELS = { rejected_count: 'rejected', review: 'to review as possible duplicates' }

async function show(result, input) {
  if (result.preview) drawPreview(result.preview, input)
  else await showImport(result)
}

async function showImport(handle) {
  draw(handle)
  if (handle.terminal || !capabilities.serverTools) return
  await new Promise((resolve) => setTimeout(resolve, Math.max(1, handle.retry_after_s) * 1000))
  await callTool('get_jobs', { task_id: handle.task_id }).then(
    ({ jobs: [job] }) => showImport(job),
    (error) => say(error.message, true),
  )
}

/** `input` contains the arguments of the preview call. */
function drawPreview(preview, input) {
  const { rows, is_whole: isWhole, format } = preview
  const chosen = new Map()
  main.replaceChildren(
    element('h1', { textContent: 'Import preview' }),
    element('p', {
      className: 'muted',
      textContent: `${format}, ${isWhole ? '' : 'first '}${rows} rows. Nothing has been imported.`,
    }),
    ...countsOf(preview),
    ...listOfTexts('Problems', preview.problems),
    ...samplesOf(preview),
    ...columnsOf(preview, chosen),
    element('p', { textContent: preview.can_import ? '' : preview.next }),
    element('div', { className: 'actions' }, importButton(preview, input), again(input, chosen)),
  )
}

function importButton({ can_import: canImport }, { preview: _preview, ...input }) {
  if (!canImport || !hasFile(input)) return undefined
  return action('Import', async () => {
    const handle = await callTool('import_connections', input)
    tellModel(`The person started the import (task_id ${handle.task_id}).`)
    say('')
    await showImport(handle)
  })
}

/** Previews again with the fields that were chosen for columns. */
function again(input, chosen) {
  if (!hasFile(input)) return undefined
  return action('Preview again', async () => {
    const added = [...chosen].map(([name, field]) => `${name}=${field}`)
    const next = { ...input, columns: [...columnsIn(input), ...added], preview: true }
    const { preview } = await callTool('import_connections', next)
    say('')
    drawPreview(preview, next)
    if (added.length > 0) tellModel(`The person chose the columns ${added.join(', ')}.`)
  })
}

/** Hosts may omit the model's arguments. */
function hasFile({ content, upload_id }) {
  return Boolean(content ?? upload_id)
}

/** The model's value: a list, or a single string. */
function columnsIn({ columns }) {
  if (!columns) return []
  return Array.isArray(columns) ? columns : [columns]
}

function samplesOf({ samples }) {
  if (samples.length === 0) return []
  return [
    element('h2', { textContent: 'First contacts' }),
    element(
      'ul',
      {},
      ...samples.map(({ name, title, company, email, phone }) =>
        element(
          'li',
          {},
          element('strong', { textContent: name }),
          element('span', {
            className: 'muted',
            textContent: ` ${[title, company, email ?? phone].filter(Boolean).join(' · ')}`,
          }),
        ),
      ),
    ),
  ]
}

function columnsOf({ columns = [], fields = [], more_columns: more = 0 }, chosen) {
  if (columns.length === 0) return []
  return [
    element('h2', { textContent: 'Columns' }),
    element('ul', {}, ...columns.map((column) => columnItem(column, fields, chosen))),
    more === 0 ? '' : element('p', { className: 'muted', textContent: `and ${more} more` }),
  ]
}

function columnItem({ name, becomes, filled, examples = [] }, fields, chosen) {
  const options = ['', ...fields].map((field) =>
    element('option', { value: field, textContent: field === '' ? becomes : field }),
  )
  const choice = element('select', { ariaLabel: `Import ${name || 'this column'} as` }, ...options)
  choice.addEventListener('change', () => {
    if (choice.value === '') chosen.delete(name)
    else chosen.set(name, choice.value)
  })
  return element(
    'li',
    { className: 'column' },
    element('span', { textContent: name || '(no name)' }),
    choice,
    element('span', {
      className: 'muted',
      textContent: [`${filled} filled`, ...examples].join(' · '),
    }),
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
  const rejected = (report.rejected ?? []).map(({ line, reason }) => `Line ${line}: ${reason}`)
  return [...countsOf(report), ...listOfTexts('Rejected rows', rejected)]
}

function countsOf(report) {
  const counts = COUNTS.filter((name) => report[name] !== undefined)
  return [listOf(counts.map((name) => `${report[name]} ${LABELS[name] ?? name}`))]
}

function listOfTexts(title, texts) {
  return texts.length === 0 ? [] : [element('h2', { textContent: title }), listOf(texts)]
}

function listOf(texts) {
  return element('ul', {}, ...texts.map((textContent) => element('li', { textContent })))
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

await connect({ title: 'Import', show })
