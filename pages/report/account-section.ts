/**
 * Equity with buying and holding behind it, and below it, at the same times, how far it was from its peak.
 */
import type { PageRun } from '../../src/report/page/page-data.ts'
import { el } from '../parts/dom.ts'
import { dateTime } from '../parts/words.ts'
import { lineChart, type DrawnLine } from './line-chart.ts'
import { percentReaderOf, readerOf } from './numbers.ts'
import { legend, section } from './section.ts'
import type { TimeRange } from './time-range.ts'

export function accountSection({ account }: PageRun, range: TimeRange): HTMLElement {
  const { equity, buyAndHold, drawdown, quoteAsset } = account
  if (equity.times.length === 0)
    return section('equity', 'Equity', [], el('p', { class: 'quiet' }, 'This run has no equity data.'))
  const own: DrawnLine = { name: 'equity', line: equity, colour: '--accent' }
  const held: DrawnLine = { name: 'buy and hold', line: buyAndHold, colour: '--quiet', dash: [5, 4] }
  const fallen: DrawnLine = { name: 'drawdown', line: drawdown, colour: '--down', isFilled: true }
  // Behind: the first is drawn first.
  const lines = buyAndHold.times.length === 0 ? [own] : [held, own]
  const names = legend(
    [...lines, fallen].map(({ name, colour, dash }) => ({ name, colour, isDashed: dash !== undefined })),
  )
  const time = el('span', { class: 'number quiet at' })
  const [above, below] = [el('div'), el('div')]
  const texts: string[] = []
  const show = (first: number, count: number, moment: number | undefined, shown: readonly string[]): void => {
    for (let index = 0; index < count; index += 1) texts[first + index] = shown[index] ?? ''
    names.show(texts)
    time.textContent = moment === undefined ? '' : dateTime(moment)
  }
  queueMicrotask(() => {
    const label = lines.length === 1 ? 'Equity over time' : 'Equity over time, compared with buy and hold'
    lineChart(above, {
      ...{ lines, height: 260, label, range, hasTimes: false, readerOf },
      onCursor: (moment, shown) => show(0, lines.length, moment, shown),
    })
    lineChart(below, {
      ...{
        lines: [fallen],
        height: 120,
        label: 'Drawdown over time',
        range,
        hasTimes: true,
        readerOf: percentReaderOf,
      },
      onCursor: (moment, shown) => show(lines.length, 1, moment, shown),
    })
  })
  return section('equity', `Equity, ${quoteAsset}`, [names.element, time], above, below)
}
