/**
 * Directional movement between two candles, by Wilder.
 */

/**
 * The larger of the two ways that a range went on, downward as a negative number; 0 when neither is larger, or none
 * went on.
 *
 * @param up    how much higher the high is
 * @param down  how much lower the low is
 */
export function directionalMove(up: number, down: number): number {
  if (down > 0 && up < down) return -down
  return up > 0 && up > down ? up : 0
}
