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
}
