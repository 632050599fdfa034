/**
 * HTML as template strings: `${text}` is escaped, `!${fragment}` is HTML that `html` made before. An array is joined;
 * a condition gives a fragment or the empty string, never `false`.
 */

export { html } from 'ghtml'
