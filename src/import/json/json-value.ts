/**
 * Values of JSON with every number as it is written: what money is read from never was a float.
 */

/** A number of JSON, not converted. */
export class JsonNumber {
  /** As it is written: `0.10`, `1e-7`, `1723161256000000000`. */
  readonly text: string

  /** @param text  sound by the grammar of JSON */
  constructor(text: string) {
    this.text = text
  }
}

/** The members of an object in the order of the file; no key comes twice. */
export type JsonObject = ReadonlyMap<string, JsonValue>
export type JsonArray = readonly JsonValue[]
export type JsonValue = string | boolean | null | JsonNumber | JsonArray | JsonObject

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject => value instanceof Map
export const isJsonArray = (value: JsonValue | undefined): value is JsonArray => Array.isArray(value)

/** The member of an object; undefined when there is none, and when the value is no object. */
export const memberOf = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  isJsonObject(value) ? value.get(key) : undefined

/** The text of a string or a number: exchanges write a price as either. Undefined for every other value. */
export const textOf = (value: JsonValue | undefined): string | undefined => {
  if (typeof value === 'string') return value
  return value instanceof JsonNumber ? value.text : undefined
}

/** A value in a message: `expected a string, got an array`. */
export function jsonKind(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (value instanceof JsonNumber) return 'a number'
  if (typeof value === 'string') return 'a string'
  if (typeof value === 'boolean') return 'true or false'
  return isJsonArray(value) ? 'an array' : 'an object'
}

/** A value as JSON on one line, every number as it was written. */
export function jsonText(value: JsonValue): string {
  if (value instanceof JsonNumber) return value.text
  if (isJsonArray(value)) return `[${value.map((each) => jsonText(each)).join(',')}]`
  if (isJsonObject(value)) {
    return `{${[...value].map(([key, each]) => `${JSON.stringify(key)}:${jsonText(each)}`).join(',')}}`
  }
  return JSON.stringify(value)
}
