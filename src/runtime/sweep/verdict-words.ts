/**
 * The verdict on the best of a sweep in sentences, for whoever has never heard of a deflated Sharpe ratio.
 *
 * Invariant: what cannot be known is said to be so, never left out.
 */
import type { SweepVerdict } from './verdict-report.ts'

type Figures = Omit<SweepVerdict, 'text'>

export interface VerdictCircumstances {
  /** The first objective, as it was named. */
  readonly objective: string
  /** True where each point was chosen by what came of those before. */
  readonly isSearched: boolean
  /** Returns of the best. */
  readonly returns: number
}

const LEAST_RETURNS = 4

export function verdictText(figures: Figures, circumstances: VerdictCircumstances): readonly string[] {
  return [
    findingText(figures),
    luckText(figures, circumstances),
    ...countText(figures),
    ...searchText(figures, circumstances),
    deflatedText(figures, circumstances),
    overfittingText(figures),
    ...lengthText(figures),
    neighboursText(figures),
    ...nullText(figures),
  ]
}

function findingText({ finding }: Figures): string {
  if (finding === 'likely real') return 'The best is better than luck explains.'
  if (finding === 'not shown') return 'Nothing shows that the best is more than luck.'
  return 'Whether the best is more than luck cannot be told from so little.'
}

function luckText({ trials, luckSharpe, sharpe }: Figures, { objective }: VerdictCircumstances): string {
  const isOther = objective !== 'sharpe'
  const best = `The best${isOther ? ` by ${objective}` : ''} has ${sharpe === null ? 'no Sharpe ratio' : `a Sharpe ratio of ${ratio(sharpe)}`}`
  if (trials <= 1) return `${best}; it is the only trial, so there was no choice in which luck could help.`
  if (luckSharpe === null) {
    return `${best}; what luck alone would have shown after ${grouped(trials)} trials is not known, since fewer than two of them have a Sharpe ratio.`
  }
  return `${best}; after ${grouped(trials)} trials luck alone would have shown ${ratio(luckSharpe)}.`
}

function countText({ trialsFrom, trials, effectiveTrials }: Figures): readonly string[] {
  const alike =
    effectiveTrials < trials * 0.95 ? ` They are alike, and count as ${ratio(effectiveTrials)} independent ones.` : ''
  if (trialsFrom === 'ledger') {
    return [
      `Counted are all trials of this strategy on this tape in the ledger of the store, this sweep among them.${alike}`,
    ]
  }
  const why =
    trialsFrom === 'left out' ? 'this sweep was left out of the ledger' : 'no store was named that remembers them'
  return [
    `Counted are the trials of this sweep alone: ${why}. Whatever was tried before makes the best worth less.${alike}`,
  ]
}

function searchText({ nullTapes }: Figures, { isSearched }: VerdictCircumstances): readonly string[] {
  if (!isSearched) return []
  const aimed = 'Its points were aimed by what earlier ones had shown, so luck alone would have shown more than that'
  return [nullTapes > 0 ? `${aimed}.` : `${aimed}: --null runs the same search on shuffled tapes, and says how much.`]
}

function deflatedText({ deflatedSharpe, sharpe }: Figures, { returns }: VerdictCircumstances): string {
  if (deflatedSharpe !== null) {
    const level = deflatedSharpe >= 0.95 ? 'enough: 95 % are asked for' : 'too little: 95 % are asked for'
    return `The probability that its true Sharpe ratio is above 0, luck taken off, is ${percent(deflatedSharpe)} (deflated Sharpe ratio), ${level}.`
  }
  const why =
    returns < LEAST_RETURNS
      ? `it has ${returns} returns, and at least ${LEAST_RETURNS} are needed: a longer tape, or a shorter statsPeriod`
      : sharpe === null
        ? 'its returns do not vary'
        : 'too few trials have a Sharpe ratio'
  return `Its deflated Sharpe ratio is not known: ${why}.`
}

function overfittingText({ pbo, blocks }: Figures): string {
  if (pbo === null) {
    return 'The probability of overfitting is not known: it takes two points, and eight returns of each.'
  }
  const meaning =
    pbo >= 0.5
      ? 'choosing the best was no better than drawing one'
      : pbo > 0.1
        ? 'choosing the best helped, but not always'
        : 'what was best on one half mostly was among the better on the other'
  return `The probability of overfitting is ${percent(pbo)}: chosen on one half of ${blocks ?? 0} blocks of time, the best was below the middle of all points on the other; ${meaning}.`
}

function lengthText({ minimumBacktestYears: years, minimumTrackRecord: periods, sharpe }: Figures): readonly string[] {
  const texts: string[] = []
  if (years !== null && years > 0 && sharpe !== null) {
    texts.push(
      `A tape shorter than ${ratio(years)} years shows a Sharpe ratio of ${ratio(sharpe)} by luck alone (minimum backtest length).`,
    )
  }
  if (periods !== null) {
    texts.push(
      `It takes ${grouped(Math.ceil(periods))} periods of returns like these to show it (minimum track record length).`,
    )
  }
  return texts
}

function neighboursText({ neighbours }: Figures): string {
  const shape = neighbours?.shape ?? null
  const ends = neighbours?.edges ?? []
  const edge = ends.length === 0 ? '' : ` It lies at an end of ${ends.join(' and ')}: better ones may lie beyond.`
  const drop = neighbours?.drop ?? null
  if (shape === null || drop === null) return `Too little is known around it to call it a plateau or a needle.${edge}`
  const lost = `one step away ${percent(Math.max(0, drop))} of its lead over the middle of all points is gone`
  const what = { plateau: 'on a plateau', slope: 'on a slope', needle: 'a needle, as luck makes them' }[shape]
  return `It is ${what}: ${lost}.${edge}`
}

function nullText({ pValue, nullTapes }: Figures): readonly string[] {
  if (nullTapes === 0) return []
  if (pValue === null) return ['What the same sweep finds on shuffled tapes is not known.']
  const limit = pValue === 1 / (nullTapes + 1) ? ', the least that so many can show' : ''
  return [
    `On ${grouped(nullTapes)} shuffled ${nullTapes === 1 ? 'tape' : 'tapes'} without anything to find the same sweep found as much with a probability of ${percent(pValue)}${limit} (p-value).`,
  ]
}

/** With a blank between thousands: 1 240. */
const grouped = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ' ')

function ratio(value: number): string {
  const digits = Math.abs(value) >= 0.1 || value === 0 ? 1 : 2
  return Math.abs(value) >= 1e6 ? value.toExponential(1) : value.toFixed(digits).replace(/^-(0\.?0*)$/, '$1')
}

/** Never 0 or 100 unless it is: what is nearly sure is not sure. */
function percent(share: number): string {
  const value = share * 100
  if (value > 0 && value < 0.1) return 'less than 0.1 %'
  if (value < 100 && value > 99.9) return 'more than 99.9 %'
  return `${value.toFixed(1)} %`
}
