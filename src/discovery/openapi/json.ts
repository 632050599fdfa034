/** JSON as values. */

export type Json = string | number | boolean | null | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [name: string]: Json
}
