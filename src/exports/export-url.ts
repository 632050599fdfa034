/** The URLs where an agent downloads its exports with its token. */

export const EXPORT_API_PATH = '/api/exports/:export_id'

export function exportUrl(exportId: string, publicUrl: string): string {
  return publicUrl + EXPORT_API_PATH.replace(':export_id', exportId)
}

export const CONNECTION_EXPORT_URI = 'weft://exports/{id}'
export const CONNECTION_EXPORT_PATH = '/api/connection-exports/:export_id'

export function connectionExportUri(exportId: string): string {
  return CONNECTION_EXPORT_URI.replace('{id}', exportId)
}

export function connectionExportUrl(exportId: string, publicUrl: string): string {
  return publicUrl + CONNECTION_EXPORT_PATH.replace(':export_id', exportId)
}
