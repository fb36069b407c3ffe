/**
 * Trade conditions of a file's prints, in one of two forms: letters of the SIP (`@`, `F I`, `@FTI`) or LEAN's bits in
 * hex (`80000001`, `41`).
 *
 * Letters are at most four known ones, each once, at most one of them a digit, with or without blanks between. Bits are
 * at most eight hex digits, without two that settle the print differently. The first cell that fits only one form
 * decides the form of the file, and every later cell must fit it. Before that, a cell that fits both (`2`, `A1`) is
 * accepted if both mean the same, and rejected otherwise. A blank cell has no conditions in either form.
 *
 * Invariant: no accepted cell is ambiguous with different outcomes.
 */
import { DIGIT_0, DIGIT_9, SPACE } from '../../domain/ascii.ts'
import { DOUBTFUL, LEAN_DOUBTFUL, LEAN_SETTLEMENT, PLAIN, SIP_LETTERS } from './trade-conditions.ts'

/** Answers that are no outcome. */
export const NO_CONDITIONS = -1
/** Letters and bits, which would say different things. */
export const IN_TWO_WAYS = -2

export type ConditionForm = 'letters' | 'bits'

const MAX_LETTERS = 4
const MAX_HEX_DIGITS = 8
const BYTES = 256

/** Outcome by byte: PLAIN, DOUBTFUL, or NO_CONDITIONS for a byte that is no letter. */
const LETTERS = new Int8Array(BYTES).fill(NO_CONDITIONS)
for (const [letter, outcome] of Object.entries(SIP_LETTERS)) LETTERS[letter.charCodeAt(0)] = outcome

/** Hex digit value by byte, or NO_CONDITIONS. */
const HEX_DIGITS = new Int8Array(BYTES).fill(NO_CONDITIONS)
for (let value = 0; value < 16; value += 1) {
  const digit = value.toString(16)
  HEX_DIGITS[digit.charCodeAt(0)] = value
  HEX_DIGITS[digit.toUpperCase().charCodeAt(0)] = value
}

const bitsOf = (named: Readonly<Record<string, number>>): number =>
  Object.values(named).reduce((all, bit) => all | bit, 0)
const DOUBTFUL_BITS = bitsOf(LEAN_DOUBTFUL)
const SETTLEMENT_BITS = bitsOf(LEAN_SETTLEMENT)

export class ConditionColumn {
  #form: ConditionForm | undefined
  #areReported = false

  /** Undefined until a cell has shown it. */
  get form(): ConditionForm | undefined {
    return this.#form
  }

  /** True once a cell was not blank. */
  get areReported(): boolean {
    return this.#areReported
  }

  /** PLAIN, DOUBTFUL, NO_CONDITIONS or IN_TWO_WAYS. A cell that is refused changes nothing. */
  take(cell: string): number {
    const bytes = Buffer.from(cell)
    if (isBlank(bytes, 0, bytes.length)) return PLAIN
    const letters = this.#form === 'bits' ? NO_CONDITIONS : lettersOutcome(bytes, 0, bytes.length)
    const bits = this.#form === 'letters' ? NO_CONDITIONS : bitsOutcome(bytes, 0, bytes.length)
    if (letters < 0 && bits < 0) return NO_CONDITIONS
    if (letters >= 0 && bits >= 0) {
      if (letters !== bits) return IN_TWO_WAYS
    } else {
      this.#form = letters >= 0 ? 'letters' : 'bits'
    }
    this.#areReported = true
    return Math.max(letters, bits)
  }

  /** Outcome of the bytes in [start, end), if the form is decided; otherwise NO_CONDITIONS. */
  read(bytes: Uint8Array, start: number, end: number): number {
    if (isBlank(bytes, start, end)) return PLAIN
    if (this.#form === 'letters') return lettersOutcome(bytes, start, end)
    return this.#form === 'bits' ? bitsOutcome(bytes, start, end) : NO_CONDITIONS
  }
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start
  while (at < end && bytes[at] === SPACE) at += 1
  return at === end
}

function lettersOutcome(bytes: Uint8Array, start: number, end: number): number {
  let outcome: number = PLAIN
  let count = 0
  let digits = 0
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === SPACE) continue
    const letter = LETTERS[byte] ?? NO_CONDITIONS
    count += 1
    if (byte >= DIGIT_0 && byte <= DIGIT_9) digits += 1
    if (letter < 0 || count > MAX_LETTERS || digits > 1 || bytes.indexOf(byte, start) !== at) return NO_CONDITIONS
    if (letter === DOUBTFUL) outcome = DOUBTFUL
  }
  return outcome
}

function bitsOutcome(bytes: Uint8Array, start: number, end: number): number {
  if (end === start || end - start > MAX_HEX_DIGITS) return NO_CONDITIONS
  let bits = 0
  for (let at = start; at < end; at += 1) {
    const digit = HEX_DIGITS[bytes[at] ?? 0] ?? NO_CONDITIONS
    if (digit < 0) return NO_CONDITIONS
    bits = (bits << 4) | digit
  }
  const settlement = bits & SETTLEMENT_BITS
  if ((settlement & (settlement - 1)) !== 0) return NO_CONDITIONS
  return (bits & DOUBTFUL_BITS) === 0 ? PLAIN : DOUBTFUL
}
