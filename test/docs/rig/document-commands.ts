/**
 * The commands of a document: lines of fenced `sh` blocks, and what stands in the last column of a table where that is
 * named Command.
 */

/** Bodies of the fenced blocks of a language. */
export const fenced = (markdown: string, language: string): string[] =>
  [...markdown.matchAll(/^```(.*)\n([^]*?)^```$/gm)].flatMap(([, name, body = '']) => (name === language ? [body] : []))

/** Commands of a table, a line each. */
const tabled = (markdown: string): string[] =>
  [...markdown.matchAll(/^\|.*\| Command \|\n\|[-|]+\n((?:\|.*\n)+)/gm)].flatMap(([, rows = '']) =>
    [...rows.matchAll(/\| (`[^|]+`) \|$/gm)].map(([, cell = '']) => cell.slice(1, -1).replaceAll('`<br>`', '\n')),
  )

/**
 * The single commands, in their order: comments left out, lines that end in a backslash joined, `a && b` taken apart.
 */
export const commandsIn = (markdown: string): string[] =>
  [...fenced(markdown, 'sh'), ...tabled(markdown)]
    .flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
    .flatMap((line) => (line.startsWith('#') ? [] : line.split(' && ')))
    .map((command) => command.trim())
    .filter((command) => command !== '')
