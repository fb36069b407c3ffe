/**
 * An import as a person reads it: a few lines a file, and what to do next.
 */
import { isoTime } from '../../domain/time.ts'
import { readableCount, readableDuration } from '../../report/readable.ts'
import { printable } from '../../report/terminal-text.ts'
import { toldKind } from '../../store/tapes/inspect-stored.ts'
import type { ImportPlace } from '../../store/transfers/import-recordings.ts'
import type { ImportManifest } from '../../store/tapes/imports/manifest.ts'

/** Lines without an end. */
export function importWords(manifests: readonly ImportManifest[], place: ImportPlace): readonly string[] {
  const imported = manifests.reduce((sum, each) => sum + each.imported, 0)
  const symbols = [...new Set(manifests.map(({ symbol }) => symbol))]
  const files = readableCount(manifests.length, 'file')
  const [symbol = ''] = symbols
  return [
    ...manifests.flatMap(fileWords),
    `${printable(place.file)}: ${readableCount(imported, 'row')} imported from ${files}`,
    `next: papertape backtest sma-cross ${flagsOf(manifests, symbol, place).join(' ')}`,
  ]
}

function flagsOf(manifests: readonly ImportManifest[], symbol: string, { form, file }: ImportPlace): readonly string[] {
  const isOfBook = ({ kind }: ImportManifest): boolean => kind === 'depth' || kind === 'quotes'
  const named = form === 'store' ? ` --symbol ${symbol}` : ''
  return [
    ...(manifests.every(isOfBook) ? [] : [`--tape ${printable(file)}${named}`]),
    ...(manifests.some(isOfBook) ? [`--depth ${symbol}=${printable(file)}`] : []),
  ]
}

function fileWords(manifest: ImportManifest): readonly string[] {
  const { name, dialect, symbol, rowsIn, imported, duplicate, bad, first, last, unit } = manifest
  const times = unit === 'iso' ? 'dates' : `times in ${unit}`
  const counts = `${readableCount(rowsIn, 'row')}: ${count(imported)} imported, ${count(duplicate)} duplicate, ${count(bad)} bad`
  return [
    `${printable(name)}: ${dialect}, ${symbol} ${toldKind(manifest)}`,
    `  ${counts}`,
    `  ${isoTime(first)} to ${isoTime(last)}, ${times}`,
    `  ${gapWords(manifest)}`,
    ...manifest.notices.filter((notice) => !notice.startsWith('Read as ')).map((notice) => `  ${printable(notice)}`),
    ...badWords(manifest),
  ]
}

const count = (value: number): string => value.toLocaleString('en-US')

function gapWords({ gaps: { ids, missingIds, times, longest }, kind, markedGaps }: ImportManifest): string {
  if (kind === 'depth') return ids === 0 ? 'no missing updates' : `${readableCount(ids ?? 0, 'gap')} in the updates`
  if (kind === 'quotes') return 'missing quotes cannot be detected'
  const idWords =
    ids === null || missingIds === null
      ? []
      : [ids === 0 ? 'no missing ids' : `${readableCount(missingIds, 'id')} missing in ${readableCount(ids, 'place')}`]
  const what = kind === 'candles' ? 'period without candles' : 'period of more than an hour without trades'
  const many = what.replace('period', 'periods')
  const length =
    longest === null ? '' : `, longest ${readableDuration(longest.to - longest.from)} from ${isoTime(longest.from)}`
  const timeWords = times === 0 ? `no ${what}` : `${count(times)} ${times === 1 ? what : many}${length}`
  const marked = markedGaps === null ? [] : [`${readableCount(markedGaps, 'gap')} from the gap file`]
  return [...idWords, timeWords, ...marked].join('; ')
}

function badWords({ reasons, rejects }: ImportManifest): readonly string[] {
  return [
    ...reasons.flatMap(({ reason, count: times, first }) => [
      `  ${readableCount(times, 'bad row')}: ${printable(reason)}`,
      ...first.map(({ message }) => `    ${printable(message)}`),
    ]),
    ...(rejects === null ? [] : [`  rejected rows: ${printable(rejects)}`]),
  ]
}
