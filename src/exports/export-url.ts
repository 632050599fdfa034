/** The URLs of exports: for agents with their token, and for browsers. */

import { CONTACT_FILE_ROUTE } from '../html/site-map.ts'

export const EXPORT_API_PATH = '/api/exports/:export_id'

export function exportUrl(exportId: string, publicUrl: string): string {
  return publicUrl + EXPORT_API_PATH.replace(':export_id', exportId)
}

export const CONNECTION_EXPORT_URI = 'weft://exports/{id}'
export const CONNECTION_EXPORT_PATH = '/api/connection-exports/:export_id'

export function connectionExportUri(exportId: string): string {
  return CONNECTION_EXPORT_URI.replace('{id}', exportId)
}

/** Opens in the browser of the member; with a secret, once in any browser. */
export function contactFileUrl(exportId: string, publicUrl: string): string {
  return publicUrl + CONTACT_FILE_ROUTE.replace(':export_id', exportId)
}
