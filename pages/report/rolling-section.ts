/**
 * Sharpe ratio, volatility and beta over a window of periods that moves through the run.
 */
import type { PageRun } from '../../src/report/page/page-data.ts'
import { el } from '../parts/dom.ts'
import { lineChart, type LineChart } from './line-chart.ts'
import { percentReaderOf, readerOf } from './numbers.ts'
import { pictureButton } from './picture.ts'
import { legend, section } from './section.ts'
import type { TimeRange } from './time-range.ts'

const HEIGHT = 90

export function rollingSection({ name, rolling }: PageRun, range: TimeRange): readonly HTMLElement[] {
  if (rolling === null) return []
  const all = [
    { name: 'Sharpe ratio', line: rolling.sharpe, colour: '--series-1', form: readerOf },
    { name: 'volatility', line: rolling.volatility, colour: '--series-2', form: percentReaderOf },
    { name: 'beta', line: rolling.beta, colour: '--series-4', form: readerOf },
  ].filter(({ line }) => line.values.some((value) => value !== null))
  const names = legend(all)
  const [texts, charts]: [string[], LineChart[]] = [[], []]
  const places = all.map(() => el('div'))
  queueMicrotask(() => {
    all.forEach(({ form, ...line }, index) => {
      const chart = lineChart(places[index] ?? el('div'), {
        ...{ lines: [line], height: HEIGHT + (index === all.length - 1 ? 26 : 0), range, readerOf: form },
        ...{ label: `Rolling ${line.name}`, hasTimes: index === all.length - 1 },
        onCursor: (_, [text = '']) => {
          texts[index] = text
          names.show(texts)
        },
      })
      charts.push(chart)
    })
  })
  const picture = pictureButton(`${name}-rolling`, () => charts.map(({ canvas }) => canvas()))
  const beside = [el('span', { class: 'quiet' }, `over ${rolling.periods} periods each`), names.element, picture]
  return [section('rolling', 'Rolling', beside, ...places)]
}
