/**
 * Plays a session with the naive crowd, in the order in which it is written.
 */
import { NaiveCrowd } from './naive-crowd.ts'
import { isTrade, type Outcome, type Session, type Step, type TradeStep } from './session.ts'

/** @param see  is shown the crowd itself */
export function naivePlay(session: Session, see: (step: Step, outcome: Outcome, crowd: NaiveCrowd) => void): void {
  const crowd = new NaiveCrowd(session.settings)
  const gaps = gapsOf(session.steps.filter(isTrade))
  for (const step of session.steps) see(step, outcomeOf(crowd, step, gaps), crowd)
}

function outcomeOf(crowd: NaiveCrowd, step: Step, gaps: ReadonlySet<Step>): Outcome {
  if (step.do === 'trade') return crowd.record(step, gaps.has(step))
  return step.do === 'place' ? crowd.place(step) : crowd.cancel(step)
}

/**
 * Trades that the boundary of a file, or a jump of ids that otherwise step by 1, separates from the one before. Whether
 * they do, the steps before in that file report: more of them were of 1 than not.
 */
function gapsOf(trades: readonly TradeStep[]): ReadonlySet<Step> {
  const gaps = new Set<Step>()
  let idSteps: number[] = []
  for (const [index, trade] of trades.entries()) {
    const before = trades[index - 1]
    if (before === undefined) continue
    if (trade.file !== before.file) {
      gaps.add(trade)
      idSteps = []
    } else if (trade.id !== undefined && before.id !== undefined) {
      const stepsByOne = idSteps.filter((step) => step === 1).length > idSteps.filter((step) => step !== 1).length
      if (stepsByOne && trade.id - before.id !== 1) gaps.add(trade)
      idSteps.push(trade.id - before.id)
    }
  }
  return gaps
}
