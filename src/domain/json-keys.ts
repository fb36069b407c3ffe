/** Keys of a JSON text with their lines, which `JSON.parse` does not report. */

export interface JsonKey {
  readonly key: string
  /** Path of the object that has it: keys, and positions in lists; to be read before the next key. */
  readonly path: readonly (string | number)[]
  /** Line of the key, from 1. */
  readonly line: number
  /** The object has had it before, so that readers disagree about its value. */
  readonly isRepeated: boolean
}

const STRING = /"(?:[^"\\]|\\.)*"/y
const COLON = /\s*:/y

interface Container {
  readonly keys: Set<string>
  /** Key or position of its current value. */
  at: string | number
}

/**
 * The keys of valid JSON, in their order.
 *
 * A string is a key when a colon follows it, and nothing else is followed by one.
 */
export function* jsonKeys(text: string): Generator<JsonKey> {
  const open: Container[] = []
  let line = 1
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    const top = open.at(-1)
    if (char === '\n') line += 1
    else if (char === '{' || char === '[') open.push({ keys: new Set(), at: 0 })
    else if (char === '}' || char === ']') open.pop()
    else if (char === ',' && typeof top?.at === 'number') top.at += 1
    else if (char === '"') {
      STRING.lastIndex = at
      const [quoted = ''] = STRING.exec(text) ?? []
      at += quoted.length - 1
      COLON.lastIndex = at + 1
      if (top === undefined || !COLON.test(text)) continue
      const key = String(JSON.parse(quoted))
      yield {
        key,
        line,
        isRepeated: top.keys.has(key),
        // Only if it is read: in a text of many levels, all paths would take the square of its length.
        get path() {
          return open.slice(0, -1).map((each) => each.at)
        },
      }
      top.keys.add(key)
      top.at = key
    }
  }
}

/** First duplicate key of an object; undefined when there is none. */
export function duplicateKey(text: string): JsonKey | undefined {
  for (const key of jsonKeys(text)) if (key.isRepeated) return key
  return undefined
}
