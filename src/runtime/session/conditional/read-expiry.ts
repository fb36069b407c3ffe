/** Validates an expiry time: a timer is set for it, and a cancel is sent at it. */
interface Expiring {
  readonly type: string
  readonly expires?: number
}

/**
 * @returns Unix milliseconds; undefined for never
 * @throws {Error} if it is not a whole number of milliseconds
 */
export function readExpiry({ type, expires }: Expiring): number | undefined {
  if (expires === undefined || (Number.isSafeInteger(expires) && expires >= 0)) return expires
  const way = 'such as Math.floor(now() + ms)'
  throw new Error(`${type}: expected expires to be whole Unix milliseconds, ${way}, got ${String(expires)}`)
}
