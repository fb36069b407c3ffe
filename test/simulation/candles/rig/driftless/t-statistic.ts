/**
 * Student's t of a sample against a mean of zero.
 */

/** @returns 0 for a sample without variance */
export function statisticOf(sample: readonly number[]): number {
  const mean = sample.reduce((sum, value) => sum + value, 0) / sample.length
  const variance = sample.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (sample.length - 1)
  return variance > 0 ? mean / Math.sqrt(variance / sample.length) : 0
}
