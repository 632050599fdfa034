// Drafts: what is typed into a form with `data-draft` (the ID of its member) and not saved is filled in again when the
// page is opened. A draft is at least as new as what the server kept of a form that was sent after its session had ended,
// so it replaces that text. It ends when it is saved, with the session (weft.js), and after 30 days. The draft of a form
// that changes stored values (it has their `version`) has only the fields that differ from them, each with the value it
// replaces, and a field whose stored value is another one by now is not filled in.
{
  const PREFIX = 'weft-draft '
  const LIFETIME = 30 * 24 * 3600 * 1000
  const forms = document.querySelectorAll('[data-draft]')
  const keyOf = (form) => `${PREFIX}${form.dataset.draft} ${new URL(form.action).pathname}`
  const changeShown = () => new URLSearchParams(location.search).get('change')

  const read = (key) => {
    try {
      const draft = JSON.parse(localStorage.getItem(key))
      return draft?.at > Date.now() - LIFETIME ? draft : undefined
    } catch {
      // Denied, or not a draft.
      return undefined
    }
  }
  const write = (key, draft) => {
    try {
      if (draft) localStorage.setItem(key, JSON.stringify(draft))
      else localStorage.removeItem(key)
    } catch {
      // Denied or full.
    }
  }
  const removeAll = (isOver) => {
    try {
      for (const key of Object.keys(localStorage))
        if (key.startsWith(PREFIX) && isOver(key)) localStorage.removeItem(key)
    } catch {
      // Denied.
    }
  }

  const controlsOf = (form) =>
    [...form.elements].filter(({ name, type }) => name && type !== 'hidden' && type !== 'submit')
  const isText = (control) => !control.matches('select, [type=radio]')
  const isChosen = ({ type, checked }) => type !== 'radio' || checked

  const storedIn = (control) =>
    control.defaultValue ??
    ([...control.options].find((one) => one.defaultSelected) ?? control.options[0])?.value
  const isRejected = () => document.querySelector('main [role=alert]') !== null

  const save = (form, sent, at = Date.now()) => {
    const controls = controlsOf(form)
    if (form.elements.version) return saveChanged(form, controls, { at, sent })
    const isEmpty = controls.every((control) => !isText(control) || control.value.trim() === '')
    const chosen = controls.filter(isChosen)
    const fields = Object.fromEntries(chosen.map(({ name, value }) => [name, value]))
    write(keyOf(form), isEmpty ? undefined : { at, sent, fields })
  }
  const saveChanged = (form, controls, draft) => {
    // A rejected form shows what was typed as if it were stored.
    const before = isRejected() ? read(keyOf(form)) : undefined
    const fields = { ...before?.fields }
    const replaced = { ...before?.replaced }
    for (const control of controls) {
      const { name, value } = control
      const stored = replaced[name] ?? storedIn(control)
      delete fields[name]
      if (value !== stored) [fields[name], replaced[name]] = [value, stored]
    }
    const isEmpty = Object.keys(fields).length === 0
    write(keyOf(form), isEmpty ? undefined : { ...draft, fields, replaced })
  }
  const fill = (form, { fields, replaced }) => {
    for (const control of controlsOf(form)) {
      const { name, type } = control
      if (typeof fields[name] !== 'string') continue
      if (replaced && replaced[name] !== storedIn(control)) continue
      if (type === 'radio') control.checked = control.value === fields[name]
      else control.value = fields[name]
      if (isText(control) && control.value) show(control)
    }
  }
  const show = (control) => {
    const details = control.parentElement.closest('details')
    if (!details) return
    details.open = true
    show(details)
  }
  // The rows that a script had added to the form (weft.js).
  const fillRows = (form, fields) => {
    const prefixes = Object.keys(fields).map((name) => /^[a-z]+-[1-9]\d{3}-/.exec(name)?.[0])
    for (const prefix of new Set(prefixes)) {
      const [kind] = prefix?.split('-') ?? []
      const button = kind && form.querySelector(`[name=add_row][value="${kind}"]`)
      if (!button) continue
      button.click()
      const row = button.parentElement.querySelector(':scope > .row:has(+ template)')
      for (const control of row.querySelectorAll('input, select, textarea'))
        control.value = fields[prefix + control.name.split('-')[2]] ?? control.value
      show(row)
    }
  }

  document.addEventListener('input', ({ target: { form } }) => {
    if (form?.dataset.draft) save(form)
  })
  // A text has changed with its input. When its page is left after it was sent, the box only loses the focus.
  document.addEventListener('change', ({ target }) => {
    if (target.form?.dataset.draft && !(target.name && isText(target))) save(target.form)
  })
  document.addEventListener('submit', ({ target }) => {
    // The page after saving shows another change than this one.
    if (target.dataset.draft) save(target, changeShown() ?? '')
    if (target.matches('[action="/sign-out"]')) removeAll(() => true)
  })
  addEventListener('pageshow', ({ persisted }) => {
    const isSaved = ({ sent }) => sent !== undefined && (changeShown() ?? sent) !== sent
    // The page of a person shows the change that its form made.
    const isEdit = (key) => key.endsWith(` ${location.pathname}/edit`)
    removeAll((key) => !read(key) || (isEdit(key) && isSaved(read(key))))
    for (const form of forms) {
      const draft = read(keyOf(form))
      if (!draft) continue
      if (persisted) save(form)
      else if (isSaved(draft)) write(keyOf(form))
      else if (form.elements.version) {
        if (draft.sent !== undefined && isRejected()) continue
        fill(form, draft)
        fillRows(form, draft.fields)
        save(form, undefined, draft.at)
        // For its preview (weft.js).
        form.dispatchEvent(new Event('input', { bubbles: true }))
      } else {
        fill(form, draft)
        write(keyOf(form), { at: draft.at, fields: draft.fields })
      }
    }
  })
}
