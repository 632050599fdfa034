/** Where a file is chosen, and where what is in it is shown before it is imported. */

export const IMPORT_PATH = '/user/import'

export function planPath(uploadId: string): string {
  return `${IMPORT_PATH}/${uploadId}`
}
