/** A column of numbers whose decimal points stand below each other, with signs, separators of thousands and units. */
import { textWidth } from './terminal-text.ts'

const NUMBER = /^([+-]?\d[\d,]*)(\.\d+…?)?(.*)$/s

/**
 * @param cells  such as `1,234.5 USD`, `-0.25 %` or `12`; cells without a leading number, such as a title or a dash,
 * are right-aligned
 * @returns      the cells padded to the same width
 */
export function alignedNumbers(cells: readonly string[]): readonly string[] {
  const parts = cells.map((cell) =>
    NUMBER.exec(cell)
      ?.slice(1)
      .map((part: string | undefined) => part ?? ''),
  )
  const widest = (index: number): number => Math.max(0, ...parts.map((part) => textWidth(part?.[index] ?? '')))
  const [whole, decimals, units] = [widest(0), widest(1), widest(2)]
  const width = Math.max(whole + decimals + units, ...cells.map(textWidth))
  return cells.map((cell, index) => {
    const [number = '', fraction = '', unit = ''] = parts[index] ?? []
    const aligned =
      parts[index] === undefined
        ? cell
        : padStart(number, whole) + fraction.padEnd(decimals) + unit + ' '.repeat(units - textWidth(unit))
    return padStart(aligned, width)
  })
}

const padStart = (text: string, width: number): string => ' '.repeat(Math.max(0, width - textWidth(text))) + text
