/**
 * A key that an object of JSON has twice, of which every reader takes another one.
 */

export interface DuplicateKey {
  readonly key: string
  /** Line of the second one, from 1. */
  readonly line: number
}

const STRING = /"(?:[^"\\]|\\.)*"/y
const COLON = /\s*:/y

/**
 * The first key that an object of valid JSON has twice; undefined when there is none.
 *
 * A string is a key when a colon follows it, and nothing else is followed by one.
 */
export function duplicateKey(text: string): DuplicateKey | undefined {
  const open: Set<string>[] = []
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '{' || char === '[') open.push(new Set())
    else if (char === '}' || char === ']') open.pop()
    else if (char === '"') {
      STRING.lastIndex = at
      const [quoted = ''] = STRING.exec(text) ?? []
      const start = at
      at += quoted.length - 1
      COLON.lastIndex = at + 1
      if (!COLON.test(text)) continue
      const key = String(JSON.parse(quoted))
      const keys = open.at(-1)
      if (keys?.has(key) === true) return { key, line: text.slice(0, start).split('\n').length }
      keys?.add(key)
    }
  }
  return undefined
}
