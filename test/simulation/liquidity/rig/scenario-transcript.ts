/**
 * A scenario as it was really played, in the words of its file, to compare with it line by line.
 */
import {
  CROWD_NAME,
  totalOf,
  type BookView,
  type Lots,
  type Match,
  type Outcome,
  type Play,
  type Step,
} from './session.ts'
import type { Scenario, ScenarioLine } from './scenario.ts'

/** Fills of one order beyond which they are summed up. */
const MAX_FILLS = 10

/** What the file says. */
export const asWritten = ({ lines }: Scenario): string =>
  lines.map(({ input, expected }) => lineOf(input, expected)).join('\n')

/** What happened, with the answers to what the file asks. */
export async function asPlayed({ session, lines }: Scenario, play: Play): Promise<string> {
  const lineByStep = new Map(lines.map((line) => [line.step, line]))
  const played: string[] = []
  await play(session, (step, outcome, view) => {
    const line = lineByStep.get(step)
    if (line === undefined) throw new Error('a step was played that is not in the scenario')
    const happened = [...eventsOf(step, outcome), ...lostLots(step, outcome)]
    played.push(lineOf(line.input, [...happened, ...answers(line, outcome, view)]))
  })
  return played.join('\n')
}

const lineOf = (input: string, parts: readonly string[]): string =>
  parts.length === 0 ? input : `${input} | ${parts.join('; ')}`

// ---- what happened

function eventsOf(step: Step, { matches, fate }: Outcome): readonly string[] {
  if (step.do === 'trade') return matches.map(({ maker, price, qty }) => `${maker} makes ${qty} @ ${price}`)
  return [
    ...(matches.length === 0 ? [] : [`${step.order} takes ${takenText(matches)}`]),
    ...(fate === '' ? [] : [`${step.order} ${fate}`]),
  ]
}

function takenText(matches: readonly Match[]): string {
  if (matches.length > MAX_FILLS) {
    return `${totalOf(matches)} for ${matches.reduce((sum, { price, qty }) => sum + price * qty, 0)}`
  }
  const from = (maker: string): string => (maker === CROWD_NAME ? '' : ` from ${maker}`)
  return matches.map(({ maker, price, qty }) => `${qty} @ ${price}${from(maker)}`).join(', ')
}

/** Every lot of a recorded trade fills an order of ours or is printed at its price. */
function lostLots(step: Step, { matches, prints }: Outcome): readonly string[] {
  if (step.do !== 'trade') return []
  const printed = prints.filter(({ price }) => price === step.price)
  const missing = step.qty - totalOf(matches) - totalOf(printed)
  return missing === 0 && printed.length === prints.length ? [] : [`loses ${missing} lots`]
}

// ---- what is asked

const QUESTIONS: Readonly<Record<string, (view: BookView, outcome: Outcome, rest: string) => string>> = {
  quote: (view) => {
    const quote = view.quote()
    return quote === undefined ? 'none' : `${quote.bid}/${quote.ask}`
  },
  takers: (view) => {
    const quote = view.quote()
    return quote === undefined ? 'none' : `${quote.takerBid}/${quote.takerAsk}`
  },
  clip: (view) => String(view.quote()?.clip ?? 'none'),
  step: (view) => String(view.quote()?.step ?? 'none'),
  queue: (view, _outcome, rest) => {
    const price = rest.replace(/:.*/, '')
    const orders = view.queue(Number(price)).map(({ order, qty }) => `${order} ${qty}`)
    return `${price}: ${orders.length === 0 ? 'empty' : orders.join(', ')}`
  },
  bids: (view) => lotsText(view.levels('BUY')),
  asks: (view) => lotsText(view.levels('SELL')),
  prints: (_view, { prints }) => lotsText(prints),
}

const lotsText = (rows: readonly Lots[]): string =>
  rows.length === 0 ? 'none' : rows.map(({ price, qty }) => `${qty} @ ${price}`).join(', ')

function answers({ expected }: ScenarioLine, outcome: Outcome, view: BookView): readonly string[] {
  return expected.flatMap((part) => {
    const [word = '', rest = ''] = part.split(/ (.*)/)
    const answer = QUESTIONS[word]
    return answer === undefined ? [] : [`${word} ${answer(view, outcome, rest)}`]
  })
}
