/** A record of CSV that is made from a file in another form. All cells are in quotation marks. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`
}
