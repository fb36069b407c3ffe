/** Reads the journal of a season, line by line, and follows it. */
import { InputError } from '../../domain/errors.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { lineTexts } from '../../store/runs/line-reader.ts'
import { LineChain } from './chained-lines.ts'
import { readSeasonEntry, type SeasonEntry } from './season-entry.ts'
import { SeasonFold } from './season-fold.ts'

/** Everything that a journal says so far. */
export interface ReadJournal {
  readonly fold: SeasonFold
  readonly chain: LineChain
  /** Version of papertape that began it. */
  readonly papertape: string
  /** Length of its whole lines. */
  readonly bytes: number
  /** True if the last line is incomplete, as after a kill. */
  readonly isTorn: boolean
}

type Begun = Pick<ReadJournal, 'fold' | 'papertape'>

/**
 * @param hear  called with each entry after the first, and its JSON text, before it is followed
 * @returns     undefined without a whole line
 * @throws {InputError} naming the first line that does not fit
 */
export function readJournal(
  file: string,
  hear: (entry: SeasonEntry, text: string, begun: Begun) => void = () => undefined,
): ReadJournal | undefined {
  const chain = new LineChain()
  let begun: Begun | undefined
  let bytes = 0
  let isTorn = false
  for (const line of lineTexts(file)) {
    isTorn = !line.endsWith('\n')
    if (isTorn) break
    bytes += Buffer.byteLength(line)
    const text = chain.follow(line)
    if (text === undefined) throw lineFault(file, chain.lines + 1, brokenText(line))
    try {
      const entry = readSeasonEntry(text)
      if (begun === undefined) begun = beginning(entry)
      else {
        hear(entry, text, begun)
        begun.fold.apply(entry, chain.lines)
      }
    } catch (error) {
      if (error instanceof InputError && error.where.startsWith(file)) throw error
      throw lineFault(file, chain.lines, `cannot be followed: ${thrownText(error)}`, error)
    }
  }
  return begun && { ...begun, chain, bytes, isTorn }
}

function beginning(entry: SeasonEntry): Begun {
  if (entry.type !== 'season') throw new Error('expected the season')
  return { fold: new SeasonFold(entry), papertape: entry.papertape }
}

export const lineFault = (file: string, line: number, message: string, cause?: unknown): InputError =>
  new InputError(`${file}:${line}`, message, { cause })

const brokenText = (line: string): string =>
  line.startsWith('[{')
    ? 'does not follow the line before: it was changed, or a line was removed, added or moved here'
    : 'is not a line of the journal of a season'
