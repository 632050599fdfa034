/** Custom fields as files and members define them. */

export const CUSTOM_FIELD_KINDS = ['text', 'number', 'date', 'choice', 'url'] as const
export type CustomFieldKind = (typeof CUSTOM_FIELD_KINDS)[number]

export interface FieldDefinition {
  readonly name: string
  readonly kind: CustomFieldKind
  /** The values that a choice can have; empty for other kinds. */
  readonly choices: readonly string[]
  /** The place in the member's order, 1 first; null is last. */
  readonly position?: number | null
}
