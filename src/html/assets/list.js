// A choice in `data-save` is saved at once and keeps the focus; without scripts, it is saved by its button.
{
  const SAVED = 'weft-saved'
  document.addEventListener('change', ({ target }) => {
    if (!target.closest('[data-save]')) return
    try {
      sessionStorage.setItem(SAVED, target.id)
    } catch {
      // Denied.
    }
    target.form.requestSubmit()
  })
  addEventListener('pageshow', () => {
    try {
      document.getElementById(sessionStorage.getItem(SAVED))?.focus()
      sessionStorage.removeItem(SAVED)
    } catch {
      // Denied.
    }
  })

  // Shift selects everyone between two clicks.
  let last
  document.addEventListener('click', ({ target, shiftKey }) => {
    if (!target.matches('.bulk [name=c]')) return
    const boxes = [...target.form.querySelectorAll('[name=c]')]
    const [from, to] = [boxes.indexOf(last), boxes.indexOf(target)].toSorted((a, b) => a - b)
    if (shiftKey && from >= 0)
      for (const box of boxes.slice(from, to + 1)) box.checked = target.checked
    last = target
  })
}
