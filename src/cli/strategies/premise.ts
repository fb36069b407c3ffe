/** The premise of a strategy, as the header of its file states it. */

/** The first sentence of the comment at the top. */
export function premiseIn(source: string): string {
  const [, header = ''] = /^\/\*\*([^]*?)\*\//.exec(source) ?? []
  const text = header
    .replace(/^\s*\* ?/gm, '')
    .trim()
    .replace(/\s+/g, ' ')
  return /^.*?[.!?](?= |$)/.exec(text)?.[0] ?? text
}
