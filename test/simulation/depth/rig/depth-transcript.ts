/**
 * Turns of a session in the words of a scenario file.
 *
 * Strict: all that happens to an order of ours is said, and what is ahead of one whenever it changes.
 */
import { CROWD_NAME, isRecorded, type Match, type Play, type Session, type Turn } from './depth-session.ts'
import type { Scenario } from './depth-scenario.ts'

/** What the file says. */
export const asWritten = ({ lines }: Scenario): string =>
  lines.map(({ input, expected }) => lineOf(input, expected)).join('\n')

/** What happened. */
export async function asPlayed({ session, lines }: Scenario, play: Play): Promise<string> {
  const played = await partsOf(session, play)
  return lines.map(({ input }, index) => lineOf(input, played[index] ?? ['was not played'])).join('\n')
}

/** What happened in each step, in its parts. */
async function partsOf(session: Session, play: Play): Promise<readonly (readonly string[])[]> {
  const before = new Map<string, number>()
  return (await play(session)).map((turn) => {
    const parts = [...eventsOf(turn), ...queuesOf(turn, before)]
    before.clear()
    for (const { order, ahead } of turn.resting) before.set(order, ahead)
    return parts
  })
}

const lineOf = (input: string, parts: readonly string[]): string =>
  parts.length === 0 ? input : `${input} | ${parts.join('; ')}`

function eventsOf({ step, matches, fate }: Turn): readonly string[] {
  if (isRecorded(step)) return matches.map(({ maker, price, qty }) => `${maker} makes ${qty} @ ${price}`)
  return [
    ...(matches.length === 0 ? [] : [`${step.order} takes ${matches.map(takenText).join(', ')}`]),
    ...(fate === '' ? [] : [`${step.order} ${fate}`]),
  ]
}

const takenText = ({ maker, price, qty }: Match): string =>
  `${qty} @ ${price}${maker === CROWD_NAME ? '' : ` from ${maker}`}`

const queuesOf = ({ resting }: Turn, before: ReadonlyMap<string, number>): readonly string[] =>
  resting
    .filter(({ order, ahead }) => before.get(order) !== ahead)
    .map(({ order, ahead }) => `${order} behind ${ahead}`)
