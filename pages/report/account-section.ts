/**
 * Equity with its benchmark and its cash, and at the same times how far it was from its peak and what share of it was
 * exposed.
 */
import type { PageRun } from '../../src/report/page/page-data.ts'
import { el } from '../parts/dom.ts'
import { dateTime } from '../parts/words.ts'
import { lineChart, type DrawnLine, type LineChart } from './line-chart.ts'
import { percentReaderOf, readerOf } from './numbers.ts'
import { pictureButton } from './picture.ts'
import { legend, section } from './section.ts'
import type { TimeRange } from './time-range.ts'
import type { ValueScale } from './value-scale.ts'

export function accountSection({ name, account }: PageRun, range: TimeRange, scale: ValueScale): HTMLElement {
  const { equity, benchmark, buyAndHold, drawdown, quoteAsset, cash, exposure, falls } = account
  if (equity.times.length === 0)
    return section('equity', 'Equity', [], el('p', { class: 'quiet' }, 'This run has no equity data.'))
  const own: DrawnLine = { name: 'equity', line: equity, colour: '--accent' }
  const held: DrawnLine = { name: benchmark, line: buyAndHold, colour: '--quiet', dash: [5, 4] }
  const fallen: DrawnLine = { name: 'drawdown', line: drawdown, colour: '--down', isFilled: true }
  // The first is drawn first, behind the others.
  const lines: readonly DrawnLine[] = [
    ...(buyAndHold.times.length === 0 ? [] : [held]),
    ...(cash === null ? [] : [{ name: 'cash', line: cash, colour: '--series-2', isOff: true } as const]),
    own,
  ]
  const exposed: readonly DrawnLine[] =
    exposure === null ? [] : [{ name: 'exposure', line: exposure, colour: '--series-3', isFilled: true }]
  const charts: LineChart[] = []
  const names = legend(
    [...lines, fallen, ...exposed].map((line, index) => ({
      ...{ name: line.name, colour: line.colour, isDashed: line.dash !== undefined, isOff: line.isOff ?? false },
      ...(index < lines.length && line !== own && { onToggle: (isOn: boolean) => charts[0]?.toggle(index, isOn) }),
    })),
  )
  const time = el('span', { class: 'number quiet at' })
  const texts: string[] = []
  const show = (first: number, count: number, moment: number | undefined, shown: readonly string[]): void => {
    for (let index = 0; index < count; index += 1) texts[first + index] = shown[index] ?? ''
    names.show(texts)
    time.textContent = moment === undefined ? '' : dateTime(moment)
  }
  const compared = buyAndHold.times.length === 0 ? '' : `, compared with ${benchmark}`
  const parts = [
    { drawn: lines, height: 260, label: `Equity over time${compared}`, form: readerOf },
    { drawn: [fallen], height: 110, label: 'Drawdown over time', form: percentReaderOf },
    ...(exposed.length === 0
      ? []
      : [{ drawn: exposed, height: 100, label: 'Share of the equity that is not cash', form: percentReaderOf }]),
  ]
  const places = parts.map(() => el('div'))
  queueMicrotask(() => {
    let first = 0
    parts.forEach(({ drawn, height, label, form }, index) => {
      const from = first
      first += drawn.length
      const chart = lineChart(places[index] ?? el('div'), {
        ...{ lines: drawn, height, label, range, shaded: falls, hasTimes: index === parts.length - 1, readerOf: form },
        ...(index === 0 && { scale }),
        onCursor: (moment, shown) => show(from, drawn.length, moment, shown),
      })
      charts.push(chart)
    })
  })
  const picture = pictureButton(`${name}-equity`, () => charts.map(({ canvas }) => canvas()))
  return section('equity', `Equity, ${quoteAsset}`, [names.element, time, picture], ...places)
}
