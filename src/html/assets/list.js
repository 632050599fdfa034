// The table of people is replaced while the member types in the search field. Without scripts, the form does it.
{
  const form = document.querySelector('.list > form[role=search]')
  let timer, asking

  const replace = async () => {
    asking?.abort()
    asking = new AbortController()
    const fields = [...new FormData(form)].filter(([, value]) => value !== '')
    const address = `${form.action}?${new URLSearchParams(fields)}`
    try {
      const answer = await fetch(address, { signal: asking.signal, redirect: 'error' })
      if (!answer.ok) return
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      if (!page.querySelector('#results')) return
      for (const part of ['#results', '.total', '.list .segments', '.heading .actions'])
        document.querySelector(part).replaceWith(page.querySelector(part))
      history.replaceState(null, '', address)
    } catch {
      // Superseded by newer input, offline, or signed out.
    }
  }

  form?.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void replace(), 120)
  })
}

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
