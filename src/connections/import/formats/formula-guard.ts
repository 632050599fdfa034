/** Prevents CSV injection: spreadsheets evaluate cells that start like a formula, unless an apostrophe precedes it. */

/** Also matches after apostrophes, so that unescaping removes only what was added. Signed numbers do not match. */
const FORMULA = /^(?![+-][\d\s()./-]*$)'*[=+\-@]/
const GUARDED = /^'(?='*[=+\-@])/

/** Apply it to every cell before quoting. */
export function escapeFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell
}

/** The text of `="0044123"`, which keeps spreadsheets from reading a number. */
export function unwrapText(cell: string): string {
  return cell.startsWith('="') && /^="(?:[^"]|"")*"$/.test(cell)
    ? cell.slice(2, -1).replaceAll('""', '"')
    : cell
}

/** Reverses `escapeFormula`. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") ? cell.replace(GUARDED, '') : cell
}
