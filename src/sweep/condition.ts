/**
 * The condition of a sweep, such as `fast < slow and fast * 2 <= 50`: which combinations of parameters are run.
 *
 * A small language of its own, in exact decimals: or, and, not (||, &&, !), comparisons, + - * / %, brackets, names of
 * parameters, numbers, and texts in quotes. Nothing in it can reach anything but the parameters.
 *
 *     any        = every { or every }
 *     every      = denied { and denied }
 *     denied     = not denied | comparison
 *     comparison = sum [ ( < | <= | > | >= | == | = | != ) sum ]
 *     sum        = product { ( + | - ) product }
 *     product    = signed { ( * | / | % ) signed }
 *     signed     = - signed | number | text | name | ( any )
 */
import { Decimal } from '../domain/decimal.ts'
import { InputError, type Place } from '../domain/errors.ts'
import { nearestNameHint } from '../domain/nearest-name.ts'
import type { Params } from './grid.ts'

export type Condition = (params: Params) => boolean

type Value = boolean | Decimal | string
type Term = (params: Params) => Value

interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'sign' | 'end'
  readonly text: string
  /** Column of its first letter, from 1. */
  readonly column: number
}

const TOKEN =
  /\s*(?:([0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?)|'([^']*)'|"([^"]*)"|([A-Za-z_$][\w$]*)|(<=|>=|==|!=|&&|\|\||[<>=!+\-*/%()]))/y

/** Operators written as words. */
const WORDS: Readonly<Record<string, string>> = { and: '&&', or: '||', not: '!' }
const PLAIN_NUMBER = /^-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]{1,3})?$/i
const MAX_LETTERS = 2_000
const MAX_BRACKETS = 100

/**
 * @param place  the setting, for errors
 * @param names  of the parameters that it may use
 * @throws {InputError} for an invalid condition; when evaluated, for parameters that it cannot be applied to
 */
export function conditionOf(place: Place, text: string, names: readonly string[]): Condition {
  if (text.length > MAX_LETTERS) throw new InputError(place, `expected at most ${MAX_LETTERS} characters`)
  const parser = new Parser(place, tokensOf(place, text), names)
  const term = parser.parse()
  return (params) => truth(place, term(params), text)
}

function tokensOf(place: Place, text: string): readonly Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  for (let at = 0; text.slice(at).trim() !== '';) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)
    const column = at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0) + 1
    if (found === null) throw new InputError(place, `column ${column}: '${text[column - 1] ?? ''}' is not allowed here`)
    const [, number, single, double, name, sign] = found
    const quoted = single ?? double
    const word = name === undefined || !Object.hasOwn(WORDS, name) ? undefined : WORDS[name]
    if (number !== undefined) tokens.push({ kind: 'number', text: number, column })
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted, column })
    else if (name !== undefined && word === undefined) tokens.push({ kind: 'name', text: name, column })
    else tokens.push({ kind: 'sign', text: word ?? sign ?? '', column })
    at = TOKEN.lastIndex
  }
  return [...tokens, { kind: 'end', text: 'its end', column: text.length + 1 }]
}

class Parser {
  readonly #place: Place
  readonly #tokens: readonly Token[]
  readonly #names: readonly string[]
  #at = 0
  #depth = 0

  constructor(place: Place, tokens: readonly Token[], names: readonly string[]) {
    this.#place = place
    this.#tokens = tokens
    this.#names = names
  }

  parse(): Term {
    const term = this.#any()
    if (this.#token.kind !== 'end') throw this.#expected('and, or, or its end')
    return term
  }

  get #token(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: 'its end', column: 0 }
  }

  #take(...signs: readonly string[]): string | undefined {
    const { kind, text } = this.#token
    if (kind !== 'sign' || !signs.includes(text)) return undefined
    this.#at += 1
    return text
  }

  #expected(what: string): InputError {
    const { kind, text, column } = this.#token
    return new InputError(this.#place, `column ${column}: expected ${what}, got ${kind === 'end' ? text : `'${text}'`}`)
  }

  #any(): Term {
    let term = this.#every()
    while (this.#take('||') !== undefined) term = this.#either(term, this.#every())
    return term
  }

  #every(): Term {
    let term = this.#denied()
    while (this.#take('&&') !== undefined) term = this.#both(term, this.#denied())
    return term
  }

  #either(a: Term, b: Term): Term {
    return (params) => this.#truth(a(params)) || this.#truth(b(params))
  }

  #both(a: Term, b: Term): Term {
    return (params) => this.#truth(a(params)) && this.#truth(b(params))
  }

  #denied(): Term {
    if (this.#take('!') === undefined) return this.#comparison()
    const term = this.#deeper(() => this.#denied())
    return (params) => !this.#truth(term(params))
  }

  #comparison(): Term {
    const left = this.#sum()
    const sign = this.#take('<', '<=', '>', '>=', '==', '=', '!=')
    if (sign === undefined) return left
    const right = this.#sum()
    if (this.#take('<', '<=', '>', '>=', '==', '=', '!=') !== undefined) {
      this.#at -= 1
      throw this.#expected('one comparison at a time, such as a < b and b < c')
    }
    return (params) => compared(this.#place, sign, left(params), right(params))
  }

  #sum(): Term {
    let term = this.#product()
    for (let sign = this.#take('+', '-'); sign !== undefined; sign = this.#take('+', '-')) {
      term = this.#reckoned(sign, term, this.#product())
    }
    return term
  }

  #product(): Term {
    let term = this.#signed()
    for (let sign = this.#take('*', '/', '%'); sign !== undefined; sign = this.#take('*', '/', '%')) {
      term = this.#reckoned(sign, term, this.#signed())
    }
    return term
  }

  #reckoned(sign: string, a: Term, b: Term): Term {
    return (params) => reckon(sign, this.#number(a(params)), this.#number(b(params)))
  }

  #signed(): Term {
    if (this.#take('-') !== undefined) {
      const term = this.#deeper(() => this.#signed())
      return (params) => this.#number(term(params)).negated()
    }
    if (this.#take('(') !== undefined) {
      const term = this.#deeper(() => this.#any())
      if (this.#take(')') === undefined) throw this.#expected("')'")
      return term
    }
    const { kind, text } = this.#token
    if (kind === 'end' || kind === 'sign') throw this.#expected('a parameter, a number or a text')
    if (kind === 'name') this.#checkName(text)
    this.#at += 1
    if (kind === 'name') return (params) => valueOf(params[text] ?? '')
    const value = kind === 'number' ? new Decimal(text) : text
    return () => value
  }

  /** Limits the nesting, so that no text overflows the stack. */
  #deeper(parse: () => Term): Term {
    this.#depth += 1
    if (this.#depth > MAX_BRACKETS) throw this.#expected(`at most ${MAX_BRACKETS} brackets within each other`)
    const term = parse()
    this.#depth -= 1
    return term
  }

  #checkName(name: string): void {
    if (this.#names.includes(name)) return
    const hint = nearestNameHint(name, this.#names) || `; it has ${this.#names.join(', ')}`
    throw new InputError(this.#place, `column ${this.#token.column}: the sweep has no parameter '${name}'${hint}`)
  }

  #truth(value: Value): boolean {
    if (typeof value === 'boolean') return value
    if (value === 'true' || value === 'false') return value === 'true'
    throw new InputError(this.#place, `expected a comparison, got ${reported(value)}`)
  }

  #number(value: Value): Decimal {
    if (typeof value === 'object') return value
    throw new InputError(this.#place, `expected a number to calculate with, got ${reported(value)}`)
  }
}

function truth(place: Place, value: Value, text: string): boolean {
  if (typeof value === 'boolean') return value
  throw new InputError(place, `expected a condition such as fast < slow, got '${text}'`)
}

/** A number if it is one, otherwise the text. */
const valueOf = (text: string): Value => (PLAIN_NUMBER.test(text) ? new Decimal(text) : text)

const reported = (value: Value): string => (typeof value === 'object' ? value.toString() : `'${String(value)}'`)

/** Undefined results, such as a division by zero, are NaN, and no comparison with NaN holds. */
function reckon(sign: string, a: Decimal, b: Decimal): Decimal {
  if (sign === '+') return a.plus(b)
  if (sign === '-') return a.minus(b)
  if (sign === '*') return a.times(b)
  return sign === '/' ? a.dividedBy(b) : a.modulo(b)
}

function compared(place: Place, sign: string, a: Value, b: Value): boolean {
  if (typeof a === 'object' && typeof b === 'object') return holds(sign, a.isNaN() || b.isNaN() ? NaN : a.comparedTo(b))
  if (sign === '==' || sign === '=') return String(a) === String(b)
  if (sign === '!=') return String(a) !== String(b)
  throw new InputError(place, `expected two numbers to compare by ${sign}, got ${reported(a)} and ${reported(b)}`)
}

/** @param order  negative, 0 or positive; NaN for values that cannot be compared */
function holds(sign: string, order: number): boolean {
  if (sign === '<') return order < 0
  if (sign === '<=') return order <= 0
  if (sign === '>') return order > 0
  if (sign === '>=') return order >= 0
  return sign === '!=' ? order !== 0 : order === 0
}
