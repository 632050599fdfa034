/** Prevents CSV injection: spreadsheets evaluate cells that start like a formula, unless an apostrophe precedes it. */

/**
 * Also matches after apostrophes, so that unescaping removes only what was added. Signed numbers do not match. East Asian
 * versions evaluate full-width signs, and `|` separates the parts of a DDE link.
 */
const FORMULA = /^(?![+-][\d\s()./-]*$)'*[=+\-@|＝＋－＠]/
const GUARDED = /^'(?='*[=+\-@|＝＋－＠])/

/** Apply it to every cell before quoting. */
export function escapeFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell
}

/** With the text of cells such as `="0044123"` and `'0044123`, which keep spreadsheets from reading a number. */
export function unwrapTexts(cells: readonly string[]): readonly string[] {
  for (const cell of cells)
    if (cell.startsWith('="') || cell.startsWith("'")) return cells.map(unwrapText)
  return cells
}

function unwrapText(cell: string): string {
  if (QUOTED_NUMBER.test(cell)) return cell.slice(1)
  return /^="(?:[^"]|"")*"$/.test(cell) ? cell.slice(2, -1).replaceAll('""', '"') : cell
}

const QUOTED_NUMBER = /^'\+?\d[\d .()/-]*$/

/** Reverses `escapeFormula`. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") ? cell.replace(GUARDED, '') : cell
}
