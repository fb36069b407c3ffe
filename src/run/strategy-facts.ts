/** The strategy of a run and its error, as facts of a report. */
import type { StrategyError } from '../domain/errors.ts'
import type { FailureReport, StrategyReport } from '../report/run/run-report.ts'
import type { LoadedStrategy } from '../runtime/strategies/strategy-file.ts'

export const strategyReport = ({
  strategy,
  sha256,
  reference,
  path,
  isReady,
  files,
}: LoadedStrategy): StrategyReport => ({
  name: strategy.name,
  sha256,
  file: reference,
  path: isReady ? null : path,
  imports: files?.imports ?? [],
  packages: files?.packages ?? [],
})

export function failureReport(failure: StrategyError | undefined, { path }: LoadedStrategy): FailureReport | null {
  if (failure === undefined) return null
  return { message: failure.message, time: failure.time, place: placeOf(failure, path) }
}

/** `file:line:column` of the innermost frame of the strategy's own file in the stack of the error. */
function placeOf(failure: StrategyError, path: string | null): string | null {
  if (path === null) return null
  const thrown = failure.cause instanceof Error ? failure.cause : failure
  const frame = thrown.stack?.split('\n').find((line) => line.includes(path))
  const [, position] = frame === undefined ? [] : (/:(\d+:\d+)\)?$/.exec(frame) ?? [])
  return position === undefined ? null : `${path}:${position}`
}
