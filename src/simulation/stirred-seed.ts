/** Seeds derived from one seed, so that two uses of it get independent random streams. */

/** Stirs texts into a 32-bit seed (FNV-1a). */
export function stirredSeed(seed: number, ...texts: readonly string[]): number {
  let stirred = seed
  for (const text of texts) {
    for (let index = 0; index < text.length; index += 1) {
      stirred = Math.imul(stirred ^ text.charCodeAt(index), 16_777_619)
    }
  }
  return stirred
}
