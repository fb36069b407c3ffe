/**
 * Scenarios of recorded books as text: one frame, quote, trade, order or cancel a line, and behind the bar what comes
 * of it.
 *
 *     == join behind what is displayed
 *     with power 3                         a setting: power, clip, step, stale-after
 *     with orders                          frames report each order
 *     0  snapshot 99x10 98x7 / 101x5       all that there is: bids, then asks, best first
 *     1  A buys 3 @ 99                     | A1 rests 3; A1 behind 10
 *     2  frame 99x4 /                      | A1 behind 4
 *     2  frame 99x4 / gone 99x3 of 1       of orders: what was cancelled, of one that came at 1; `traded` for what was traded;
 *                                          `by 1` of one that was there at 1, and no one saw it come
 *     3  gap 98x6 /                        a frame before which something is missing
 *     4  gap snapshot 99x4 / 101x5
 *     5  quote 99x2 / 101x1                a side may be empty
 *     6  trade sell 5 @ 99                 | A1 makes 1 @ 99; A1 behind 0
 *     7  A sells 4                         | A2 takes 2 @ 99; A2 lapses 2
 *     8  A cancels A1                      | A1 is cancelled
 *
 * Times are milliseconds, then lots, and ticks behind the @. All that happens to an order of ours is said: `makes`,
 * `takes` (`from` reports that the maker was ours), `rests`, `lapses`, `is cancelled`, `is refused`, and `behind` how
 * many lots of the crowd whenever that changes.
 */
import { InputError } from '../../../../src/domain/errors.ts'
import type { MadeFall, MadeLevel } from '../../../tape/rig/depth-of.ts'
import { PLAIN, type Session, type SessionSettings, type Step } from './depth-session.ts'

export interface ScenarioLine {
  /** What stands before the bar, blanks evened out. */
  readonly input: string
  /** What stands behind it, in its parts. */
  readonly expected: readonly string[]
  readonly step: Step
}

export interface Scenario {
  readonly title: string
  readonly session: Session
  readonly lines: readonly ScenarioLine[]
}

/** @throws {InputError} naming file and line */
export function scenariosOf(file: string, text: string): readonly Scenario[] {
  const readers: ScenarioReader[] = []
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.replace(/#.*/, '').replace(/\s+/g, ' ').trim()
    const title = /^== (.+)$/.exec(line)?.[1]
    if (title !== undefined) readers.push(new ScenarioReader(title))
    else if (line !== '' && readers.at(-1)?.read(line) !== true)
      throw new InputError(`${file}:${index + 1}`, `cannot read '${line}'`)
  }
  return readers.map((reader) => reader.scenario())
}

type Fields = Readonly<Record<string, string | undefined>>

const SETTING = /^with (?<name>power|clip|step|stale-after) (?<value>\d+)$/
const FRAME =
  /^(?<time>\d+) (?<gap>gap )?(?<kind>snapshot|frame)?(?<levels>[\dx ]*\/[\dx ]*)(?<falls>(?:,? ?(?:gone|traded) \d+x\d+ (?:of|by) \d+)*)$/
const QUOTE = /^(?<time>\d+) quote (?<levels>[\dx ]*\/[\dx ]*)$/
const TRADE = /^(?<time>\d+) trade (?<side>buy|sell) (?<qty>\d+) @ (?<price>\d+)$/
const PLACE = /^(?<time>\d+) (?<account>[A-Z]) (?<verb>buys|sells) (?<qty>\d+)(?: @ (?<price>\d+))?$/
const CANCEL = /^(?<time>\d+) [A-Z] cancels (?<order>[A-Z]\d+)$/

const KEYS = { power: 'power', clip: 'clip', step: 'step', 'stale-after': 'staleAfterMs' } as const

class ScenarioReader {
  readonly #title: string
  readonly #lines: ScenarioLine[] = []
  readonly #ordersByAccount = new Map<string, number>()
  #settings: SessionSettings = PLAIN
  #reportsOrders = false

  constructor(title: string) {
    this.#title = title
  }

  /** False for a line that makes no sense. */
  read(line: string): boolean {
    if (line === 'with orders') {
      this.#reportsOrders = true
      return true
    }
    const { name, value } = fieldsOf(SETTING, line) ?? {}
    if (name === 'power' || name === 'clip' || name === 'step' || name === 'stale-after') {
      this.#settings = { ...this.#settings, [KEYS[name]]: Number(value) }
      return true
    }
    const [input = '', behind = ''] = line.split('|').map((part) => part.trim())
    const step = recordedStepOf(input, this.#reportsOrders) ?? this.#orderStepOf(input)
    if (step === undefined) return false
    const expected = behind.split(';').map((part) => part.trim())
    this.#lines.push({ input, expected: expected.filter((part) => part !== ''), step })
    return true
  }

  scenario(): Scenario {
    const session = { settings: this.#settings, steps: this.#lines.map(({ step }) => step) }
    return { title: this.#title, session, lines: this.#lines }
  }

  #orderStepOf(input: string): Step | undefined {
    const cancel = fieldsOf(CANCEL, input)
    if (cancel !== undefined) return { do: 'cancel', time: Number(cancel.time), order: cancel.order ?? '' }
    const place = fieldsOf(PLACE, input)
    if (place === undefined) return undefined
    const { account = '', verb, price } = place
    const number = (this.#ordersByAccount.get(account) ?? 0) + 1
    this.#ordersByAccount.set(account, number)
    return {
      do: 'place',
      ...amounts(place),
      order: `${account}${number}`,
      side: verb === 'buys' ? 'BUY' : 'SELL',
      price: price === undefined ? undefined : Number(price),
    }
  }
}

function recordedStepOf(input: string, reportsOrders: boolean): Step | undefined {
  const trade = fieldsOf(TRADE, input)
  if (trade !== undefined) {
    const side = trade.side === 'buy' ? 'buy' : 'sell'
    return { do: 'trade', ...amounts(trade), price: Number(trade.price), side }
  }
  const quote = fieldsOf(QUOTE, input)
  if (quote !== undefined) {
    const [[[bid, bidQty] = [0, 0]], [[ask, askQty] = [0, 0]]] = sidesOf(quote.levels ?? '')
    return { do: 'quote', time: Number(quote.time), bid, bidQty, ask, askQty }
  }
  const frame = fieldsOf(FRAME, input)
  if (frame === undefined) return undefined
  const [bids, asks] = sidesOf(frame.levels ?? '')
  const flags = { isSnapshot: frame.kind === 'snapshot', hasGap: frame.gap !== undefined }
  const isEmpty = bids.length + asks.length === 0
  const falls = reportsOrders ? fallsOf(frame.falls ?? '', asks) : undefined
  return { do: 'frame', time: Number(frame.time), ...flags, bids: isEmpty ? [[1, 0]] : bids, asks, falls }
}

const fallsOf = (text: string, asks: readonly MadeLevel[]): readonly MadeFall[] =>
  [...text.matchAll(/(gone|traded) (\d+)x(\d+) (of|by) (\d+)/g)].map(
    ([, how, price = '', lots = '', came, since = '']) => {
      const side = asks.some(([ask]) => ask === Number(price)) ? 'ask' : 'bid'
      const reported = { side, price: Number(price), lots: Number(lots), since: Number(since) } as const
      return { ...reported, isTraded: how === 'traded', isSeenToCome: came === 'of' }
    },
  )

const fieldsOf = (pattern: RegExp, input: string): Fields | undefined => pattern.exec(input)?.groups

const amounts = ({ time, qty }: Fields): { time: number; qty: number } => ({ time: Number(time), qty: Number(qty) })

function sidesOf(text: string): readonly [readonly MadeLevel[], readonly MadeLevel[]] {
  const [bids = '', asks = ''] = text.split('/')
  return [levelsOf(bids), levelsOf(asks)]
}

const levelsOf = (text: string): readonly MadeLevel[] =>
  text
    .trim()
    .split(' ')
    .filter((level) => level !== '')
    .map((level): MadeLevel => {
      const [price = 0, qty = 0] = level.split('x').map(Number)
      return [price, qty]
    })
