/**
 * Assigns each reported limit to a bucket of the key: by its name, otherwise by its size, otherwise by the kind of
 * request.
 */
import type { ReportedLimit } from './rate-headers.ts'

export interface RateBuckets {
  readonly general: ReportedLimit | undefined
  readonly mutations: ReportedLimit | undefined
}

/**
 * @param isMutation       whether the answer is to a creation or cancel
 * @param generalLimit     as currently known
 */
export function rateBucketsOf(
  reported: readonly ReportedLimit[],
  isMutation: boolean,
  generalLimit: number,
): RateBuckets {
  const named = (pattern: RegExp): ReportedLimit | undefined => reported.find(({ name }) => pattern.test(name ?? ''))
  const mutations = named(/mutation|order|trad/i)
  const general = named(/general|default|global|api/i)
  if (mutations !== undefined || general !== undefined) return { general, mutations }
  if (!isMutation) return { general: reported[0], mutations: undefined }
  const [first, second] = reported.toSorted((a, b) => (b.limit ?? 0) - (a.limit ?? 0))
  if (second !== undefined) return { general: first, mutations: second }
  return first?.limit === generalLimit
    ? { general: first, mutations: undefined }
    : { general: undefined, mutations: first }
}
