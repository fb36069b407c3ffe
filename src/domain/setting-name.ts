/**
 * Names of settings in texts: an option in a program, a flag on the command line. The reader's side supplies the
 * wording.
 */

/** A setting by its path among the options of a program, such as `latency.orderMs`. */
export class SettingName {
  readonly path: string
  /** Value to set it to, if the text names one. */
  readonly value: string | undefined

  constructor(path: string, value?: string) {
    this.path = path
    this.value = value
  }
}

/** A setting as its reader knows it; undefined for one that this reader does not have. */
export type SettingWords = (name: SettingName) => string | undefined

/** Wording for programs. */
export const OPTION_WORDS: SettingWords = ({ path, value }) => (value === undefined ? path : `${path}: '${value}'`)

/** A text or a setting as plain data, for another thread. */
export type PlainPart = string | { readonly path: string; readonly value: string | undefined }

export const plainPart = (part: string | SettingName): PlainPart =>
  typeof part === 'string' ? part : { path: part.path, value: part.value }

export const partOf = (plain: PlainPart): string | SettingName =>
  typeof plain === 'string' ? plain : new SettingName(plain.path, plain.value)

/** A text that names settings. */
export class Wording {
  readonly #parts: readonly (string | SettingName)[]

  constructor(parts: readonly (string | SettingName)[]) {
    this.#parts = parts
  }

  plain(): readonly PlainPart[] {
    return this.#parts.map(plainPart)
  }

  /** The text in the words of its reader; undefined when it names a setting that this reader does not have. */
  messageFor(words: SettingWords): string | undefined {
    const reported = this.#parts.map((part) => (typeof part === 'string' ? part : words(part)))
    return reported.includes(undefined) ? undefined : reported.join('')
  }

  /** The same text with other setting names; undefined if it names a setting that does not exist there. */
  renamed(rename: (name: SettingName) => SettingName | undefined): Wording | undefined {
    const parts: (string | SettingName)[] = []
    for (const part of this.#parts) {
      const renamed = typeof part === 'string' ? part : rename(part)
      if (renamed === undefined) return undefined
      parts.push(renamed)
    }
    return new Wording(parts)
  }
}

/**
 * Reference to a setting: `setting('columns')`, or `setting('columns', 'time,price,qty')` with the value to set it to.
 */
export const setting = (path: string, value?: string): SettingName => new SettingName(path, value)

/** A tagged template: `` worded`needs ${setting('replay')}` ``. */
export const worded = (texts: TemplateStringsArray, ...names: readonly (SettingName | string)[]): Wording =>
  new Wording(texts.flatMap((text, index) => [text, names[index] ?? '']))
