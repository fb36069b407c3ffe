/**
 * The report of a run that was run again, as the first run would have written it: by the names that its user gave, and of its version.
 */
import { gapFileOf } from '../store/tapes/gap-file.ts'
import { formerReport } from '../report/run/former-report.ts'
import type { RunReport, TapeReport } from '../report/run/run-report.ts'
import type { RunFile } from './run-file.ts'

/**
 * Everything else has to be the same again.
 *
 * @param again  of the repetition, which knows every file by its absolute path
 */
export function asFirstNamed(again: RunReport, { version, strategy, tapes, books, flattering }: RunFile): object {
  const ofBooks = books.map(({ path, file }) => [path, file] as const)
  const ofTapes = tapes.flatMap(({ path, file, gaps }) => [
    ...(gaps === undefined ? [] : [[gapFileOf(path), gaps.file] as const]),
    [path, file] as const,
  ])
  const renames = [...ofTapes, ...ofBooks]
  const renamed = (notices: readonly string[]): readonly string[] =>
    notices.map((notice) => renames.reduce((text, [path, name]) => text.replaceAll(path, name), notice))
  const named: RunReport = {
    ...again,
    version,
    strategy: { ...again.strategy, file: strategy.file },
    tapes: again.tapes.map((tape, index) => {
      const first = tapes[index]
      return first === undefined ? tape : tapeAsNamed(tape, first, renamed)
    }),
    ...(again.books !== undefined && {
      books: again.books.map((book, index) => {
        const first = books[index]
        return first === undefined ? book : { ...book, file: first.file, notices: renamed(book.notices) }
      }),
    }),
    notices: renamed(again.notices),
  }
  return flattering === undefined ? named : formerReport(named)
}

const tapeAsNamed = (
  tape: TapeReport,
  { file, gaps }: RunFile['tapes'][number],
  renamed: (notices: readonly string[]) => readonly string[],
): TapeReport => ({
  ...tape,
  file,
  ...(tape.gaps !== undefined && gaps !== undefined && { gaps: { ...tape.gaps, file: gaps.file } }),
  notices: renamed(tape.notices),
})
