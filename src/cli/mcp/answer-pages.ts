/** Long answers in pages: the first one is the answer, and `read_more` has the others of the last answers. */
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import { checkedTool, type Tool } from './tool.ts'

/** Characters of an answer: about 10,000 tokens. */
const MAX_CHARACTERS = 40_000
/** Long answers that can be read on. */
const MAX_ANSWERS = 10

export class AnswerPages {
  readonly #texts = new Map<number, string>()
  #number = 0

  /** The text, or its first page with the way to the next. */
  firstOf(text: string): string {
    if (text.length <= MAX_CHARACTERS + 200) return text
    this.#number += 1
    this.#texts.set(this.#number, text)
    if (this.#texts.size > MAX_ANSWERS) this.#texts.delete(this.#number - MAX_ANSWERS)
    return this.#page(this.#number, text, 0)
  }

  readonly tool: Tool = checkedTool({
    name: 'read_more',
    scope: undefined,
    describe: 'Read the next page of a long answer.',
    isReadOnly: true,
    input: z.strictObject({ answer: z.int(), offset: z.int().min(0) }),
    call: ({ answer, offset }) => {
      const text = this.#texts.get(answer)
      if (text === undefined) throw new InputError('answer', `answer ${answer} is no longer there; call its tool again`)
      return { text: this.#page(answer, text, offset) }
    },
  })

  #page(number: number, text: string, offset: number): string {
    const end = Math.min(offset + MAX_CHARACTERS, text.length)
    const next = end < text.length ? `; call read_more with {"answer": ${number}, "offset": ${end}} for more` : ''
    return `${text.slice(offset, end)}\n\n(characters ${offset} to ${end} of ${text.length}${next})`
  }
}
