/** Spreadsheet programs run a cell that begins like a formula, whoever wrote it: an apostrophe before it makes it text. */

/** Behind apostrophes of its own as well, so that one that is taken off was put on. A number with a sign is none. */
const FORMULA = /^(?![+-][\d\s()./-]*$)'*[=+\-@]/
const GUARDED = /^'(?='*[=+\-@])/

export function escapeFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell
}

/** The cell as it was before `guarded`. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") ? cell.replace(GUARDED, '') : cell
}
