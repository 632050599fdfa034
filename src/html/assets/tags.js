// Shows the suggested tags that begin with the typed text. Enter adds the marked one: the tag of exactly that text, or the first.
{
  const tagChips = (field) => [...field.form.parentElement.querySelectorAll('.chips > .chip')]
  document.addEventListener('input', ({ target }) => {
    if (target.id !== 'tag') return
    const typed = target.value.trim().toLowerCase()
    const chips = tagChips(target)
    chips[0]?.parentElement.classList.toggle('typed', typed !== '')
    for (const chip of chips) chip.hidden = !chip.value.toLowerCase().startsWith(typed)
    const same = chips.find((chip) => chip.value.toLowerCase() === typed)
    const marked = typed !== '' && (same ?? chips.find((chip) => !chip.hidden))
    for (const chip of chips) chip.classList.toggle('on', chip === marked)
  })
  document.addEventListener('keydown', (event) => {
    const { target, key } = event
    if (target.id !== 'tag' || event.isComposing || !['Enter', 'ArrowDown'].includes(key)) return
    const chips = tagChips(target)
    const marked = chips.find((one) => one.classList.contains('on'))
    if (key === 'Enter' && !marked) return
    event.preventDefault()
    if (key === 'Enter') marked.click()
    else (marked ?? chips[0])?.focus()
  })
}
