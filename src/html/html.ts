/**
 * HTML as template strings: `${text}` is escaped, `!${fragment}` is inserted as HTML. Arrays are joined. Conditions
 * must evaluate to a fragment or the empty string, never to `false`.
 */

export { html } from 'ghtml'
