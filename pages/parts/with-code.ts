/**
 * Text with code in backticks, such as a flag, as nodes.
 */
import { el } from './dom.ts'

/** Text outside of backticks as it is, text inside as `<code>`. */
export const withCode = (text: string): readonly (Node | string)[] =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 0 ? part : el('code', {}, part)))
