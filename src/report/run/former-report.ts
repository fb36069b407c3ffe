/** Reports of runs from before names in `run.json` changed, read and written. */
import { currentTerms, digestedTerms } from '../../runtime/settings/former-terms.ts'
import type { RunReport } from './run-report.ts'

type Fields = Readonly<Record<string, unknown>>

const CURRENT: Readonly<Record<string, string>> = { flattering: 'optimistic', shortOrders: 'partlyFilled' }

/** The report under the present names. */
export const currentReport = (report: Fields): Fields =>
  Object.fromEntries(
    Object.entries(report).map(([name, value]) => {
      if (name === 'config' && isFields(value)) return [name, currentTerms(value)]
      const settings =
        name === 'flattering' && Array.isArray(value) ? value.map((each) => renamed(each, currentTerms)) : value
      return [CURRENT[name] ?? name, settings]
    }),
  )

/** The report as a version with the former names wrote it, its fields in the same order. */
export function formerReport(report: RunReport): Fields {
  const former = new Map(Object.entries(CURRENT).map(([name, current]) => [current, name]))
  const config = digestedTerms(report.config)
  const optimistic = report.optimistic.map((each) => renamed(each, digestedTerms))
  return Object.fromEntries(
    Object.entries({ ...report, config, optimistic }).map(([name, value]) => [former.get(name) ?? name, value]),
  )
}

/** A setting with its value, under the names that `rename` gives. */
function renamed(each: unknown, rename: (terms: Fields) => Fields): unknown {
  if (!isFields(each) || typeof each.setting !== 'string') return each
  const [[setting, value] = []] = Object.entries(rename({ [each.setting]: each.value }))
  return { ...each, setting, value }
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
