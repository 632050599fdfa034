// Suggested tags are narrowed to those that begin with what is typed; Enter adds the first of them.
{
  const tagChips = (field) => [...field.form.parentElement.querySelectorAll('.chips > .chip')]
  document.addEventListener('input', ({ target }) => {
    if (target.id !== 'tag') return
    const typed = target.value.trim().toLowerCase()
    const chips = tagChips(target)
    chips[0]?.parentElement.classList.toggle('typed', typed !== '')
    for (const chip of chips) chip.hidden = !chip.value.toLowerCase().startsWith(typed)
    const first = typed !== '' && chips.find((chip) => !chip.hidden)
    for (const chip of chips) chip.classList.toggle('on', chip === first)
  })
  document.addEventListener('keydown', (event) => {
    const { target, key } = event
    if (target.id !== 'tag' || !['Enter', 'ArrowDown'].includes(key)) return
    const chip = tagChips(target).find((one) => one.checkVisibility())
    const isChosen = chip?.classList.contains('on')
    if (!chip || (key === 'Enter' && !isChosen)) return
    event.preventDefault()
    if (key === 'Enter') chip.click()
    else chip.focus()
  })
}
