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

// A choice in `data-save` is saved at once; without scripts, by its button.
document.addEventListener('change', ({ target }) => {
  if (target.closest('[data-save]')) target.form.requestSubmit()
})
