/** JSON as values. */

export type Json = string | number | boolean | null | readonly Json[] | OpenApiObject

export interface OpenApiObject {
  readonly [name: string]: Json
}
