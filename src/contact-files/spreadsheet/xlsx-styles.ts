// Reads the number formats of a workbook (ECMA-376 part 1, 18.8.30 and 18.8.10).

import { numberFormat, plainNumber, type NumberText } from './xlsx-number-format.ts'
import { parse } from './xlsx-xml.ts'
import type { ZipEntry } from '../bytes/zip.ts'

/** The formats of numbers by the index of the cell format. */
export async function readNumberFormats(
  entry: ZipEntry | undefined,
): Promise<readonly NumberText[]> {
  const codes = new Map(BUILT_IN)
  const formats: NumberText[] = []
  let inCells = false
  await parse(entry, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode)
      if (name === 'cellXfs') inCells = true
      if (name !== 'xf' || !inCells) return
      const code = codes.get(Number(numFmtId))
      formats.push(code === undefined ? plainNumber : numberFormat(code))
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return formats
}

const ACCOUNT = '_("$"* #,##0_);_("$"* \\(#,##0\\);_("$"* "-"_);_(@_)'
const ACCOUNT_WITH_CENTS = '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)'

/** Of 27 to 36 and 50 to 58, the language of Excel decides which are dates and which times. */
const EAST_ASIAN = [...range(27, 36), ...range(50, 58)]

/** A file names other codes of these numbers for other languages, except for dates. */
const BUILT_IN: readonly (readonly [id: number, code: string])[] = [
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [5, '"$"#,##0_);\\("$"#,##0\\)'],
  [6, '"$"#,##0_);\\("$"#,##0\\)'],
  [7, '"$"#,##0.00_);\\("$"#,##0.00\\)'],
  [8, '"$"#,##0.00_);\\("$"#,##0.00\\)'],
  [9, '0%'],
  [10, '0.00%'],
  [14, 'm/d/yyyy'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'm/d/yyyy h:mm'],
  [37, '#,##0_);\\(#,##0\\)'],
  [38, '#,##0_);\\(#,##0\\)'],
  [39, '#,##0.00_);\\(#,##0.00\\)'],
  [40, '#,##0.00_);\\(#,##0.00\\)'],
  [41, '_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)'],
  [42, ACCOUNT],
  [43, '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)'],
  [44, ACCOUNT_WITH_CENTS],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss'],
  ...EAST_ASIAN.map((id) => [id, 'yyyy-mm-dd h:mm'] as const),
]

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}
