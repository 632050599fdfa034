/** The URL for downloading an archive with a token. */

export const EXPORT_API_PATH = '/api/exports/:export_id'

export function exportUrl(exportId: string, publicUrl: string): string {
  return publicUrl + EXPORT_API_PATH.replace(':export_id', exportId)
}
