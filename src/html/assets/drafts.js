// Drafts: what is typed into a form with `data-draft` (the ID of its member) and not saved is filled in again when the
// page is opened. A draft is at least as new as what the server kept of a form that was sent after its session had ended,
// so it replaces that text. It ends when it is saved, with the session (weft.js), and after 30 days.
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

  const save = (form, sent) => {
    const controls = controlsOf(form)
    const isEmpty = controls.every((control) => !isText(control) || control.value.trim() === '')
    const chosen = controls.filter(isChosen)
    const fields = Object.fromEntries(chosen.map(({ name, value }) => [name, value]))
    write(keyOf(form), isEmpty ? undefined : { at: Date.now(), sent, fields })
  }
  const fill = (form, { fields }) => {
    for (const control of controlsOf(form)) {
      if (typeof fields[control.name] !== 'string') continue
      if (control.type === 'radio') control.checked = control.value === fields[control.name]
      else control.value = fields[control.name]
      const details = control.closest('details')
      if (details && isText(control) && control.value) details.open = true
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
    removeAll((key) => !read(key))
    for (const form of forms) {
      const draft = read(keyOf(form))
      if (!draft) continue
      const isSaved = draft.sent !== undefined && (changeShown() ?? draft.sent) !== draft.sent
      if (persisted) save(form)
      else if (isSaved) write(keyOf(form))
      else {
        fill(form, draft)
        write(keyOf(form), { at: draft.at, fields: draft.fields })
      }
    }
  })
}
