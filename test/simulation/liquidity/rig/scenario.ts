/**
 * Scenarios as text: one recorded trade, order or cancel a line, and behind the bar what comes of it.
 *
 *     == join the bid
 *     with queue 2                   a setting: model, queue, depth, spread, stale-after, held, candles of, self-trade, credit
 *     0   trade buy 5 @ 100          | quote 99/100; clip 5; step 1
 *     50  A buys 3 @ 99              | A1 rests 3; queue 99: crowd 10, A1 3
 *     60  trade sell 12 @ 99 id 7    | A1 makes 2 @ 99; prints 10 @ 99
 *     next file                      the trades below are in another file
 *     70  A sells 4                  | A2 takes 4 @ 99
 *     80  A cancels A1               | A1 is cancelled
 *
 * Numbers before the bar are milliseconds, lots, and ticks behind the @; a trade without `buy` or `sell` was recorded
 * without a side. Orders are named by account and number as they are placed. What happens to orders of ours must be
 * said, and nothing else may happen: `makes` and `takes`, `rests`, `lapses`, `is cancelled`, `is refused`; `from`
 * reports that the maker was ours, and more than ten fills are summed up as `100 for 104950`, lots and price x lots.
 * Everything else is looked at where it is asked: `quote`, what
 * `takers` meet, `clip`, `step`, the `queue` at a price, the levels of `bids` and `asks`, and what was printed between crowd and crowd.
 */
import { InputError } from '../../../../src/domain/errors.ts'
import type { Side } from '../../../../src/domain/order.ts'
import { PLAIN, type Credit, type Session, type SessionSettings, type Step } from './session.ts'

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
  const scenarios: ScenarioReader[] = []
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.replace(/#.*/, '').replace(/\s+/g, ' ').trim()
    const title = /^== (.+)$/.exec(line)?.[1]
    const reader = scenarios.at(-1)
    if (title !== undefined) scenarios.push(new ScenarioReader(title))
    else if (line !== '' && reader?.read(line) !== true)
      throw new InputError(`${file}:${index + 1}`, `cannot read '${line}'`)
  }
  return scenarios.map((reader) => reader.scenario())
}

type Fields = Readonly<Record<string, string | undefined>>

const TRADE = /^(?<time>\d+) trade (?:(?<side>buy|sell) )?(?<qty>\d+) @ (?<price>\d+)(?: id (?<id>\d+))?$/
const PLACE = /^(?<time>\d+) (?<account>[A-Z]) (?<verb>buys|sells) (?<qty>\d+)(?: @ (?<price>\d+))?$/
const CANCEL = /^(?<time>\d+) [A-Z] cancels (?<order>[A-Z]\d+)$/
const SETTING = /^with (?<name>model|queue|depth|spread|stale-after|held|candles of|self-trade) (?<value>\S+)$/
const CREDIT = /^with credit (?<amount>\d+) (?<asset>[A-Z]+) to (?<account>[A-Z])$/

const SETTINGS: Readonly<Record<string, (value: string) => Partial<SessionSettings>>> = {
  model: (value) => ({ model: value === 'through' || value === 'touch' ? value : 'tape' }),
  queue: (value) => ({ queue: Number(value) }),
  depth: (value) => ({ depth: Number(value) }),
  spread: (value) => ({ spread: Number(value) }),
  'stale-after': (value) => ({ staleAfterMs: Number(value) }),
  held: (value) => ({ heldPrice: Number(value) }),
  'self-trade': (value) => ({ selfTrade: value === 'reject' ? value : 'allow' }),
}

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

/** Reads one scenario line by line. */
class ScenarioReader {
  readonly #title: string
  readonly #lines: ScenarioLine[] = []
  readonly #ordersByAccount = new Map<string, number>()
  readonly #credits: Credit[] = []
  #settings: SessionSettings = PLAIN
  #file = 0

  constructor(title: string) {
    this.#title = title
  }

  /** False for a line that makes no sense. */
  read(line: string): boolean {
    if (line === 'next file') {
      this.#file += 1
      return true
    }
    return this.#readSetting(line) || this.#readStep(line)
  }

  scenario(): Scenario {
    const settings = { ...this.#settings, credits: this.#credits }
    const steps = this.#lines.map(({ step }) => step)
    return { title: this.#title, session: { settings, steps }, lines: this.#lines }
  }

  #readSetting(line: string): boolean {
    const credit = CREDIT.exec(line)?.groups
    if (credit !== undefined) {
      const { account = '', asset = '', amount = '' } = credit
      this.#credits.push({ account, asset, amount: BigInt(amount) })
      return true
    }
    const { name = '', value = '' } = SETTING.exec(line)?.groups ?? {}
    const setting = SETTINGS[name]?.(value)
    if (setting === undefined) return false
    this.#settings = { ...this.#settings, ...setting }
    return true
  }

  #readStep(line: string): boolean {
    const [input = '', behind = ''] = line.split('|').map((part) => part.trim())
    const step = this.#stepOf(input)
    if (step === undefined) return false
    const expected = behind.split(';').map((part) => part.trim())
    this.#lines.push({ input, expected: expected.filter((part) => part !== ''), step })
    return true
  }

  #stepOf(input: string): Step | undefined {
    const trade: Fields | undefined = TRADE.exec(input)?.groups
    if (trade !== undefined) {
      const side = trade.side === 'buy' || trade.side === 'sell' ? trade.side : undefined
      return {
        do: 'trade',
        ...amounts(trade),
        price: Number(trade.price),
        side,
        id: numberOf(trade.id),
        file: this.#file,
      }
    }
    const place: Fields | undefined = PLACE.exec(input)?.groups
    if (place !== undefined) {
      const side: Side = place.verb === 'buys' ? 'BUY' : 'SELL'
      return {
        do: 'place',
        ...amounts(place),
        order: this.#name(place.account ?? ''),
        side,
        price: numberOf(place.price),
      }
    }
    const cancel: Fields | undefined = CANCEL.exec(input)?.groups
    return cancel === undefined ? undefined : { do: 'cancel', time: Number(cancel.time), order: cancel.order ?? '' }
  }

  #name(account: string): string {
    const number = (this.#ordersByAccount.get(account) ?? 0) + 1
    this.#ordersByAccount.set(account, number)
    return `${account}${number}`
  }
}

const amounts = ({ time, qty }: Fields): { time: number; qty: number } => ({ time: Number(time), qty: Number(qty) })
