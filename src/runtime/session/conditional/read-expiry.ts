/**
 * The time at which an order is given up, read: a timer is set for it, and a cancel leaves at it.
 */
interface Expiring {
  readonly type: string
  readonly expires?: number
}

/**
 * @returns Unix milliseconds; undefined for never
 * @throws {Error} for what is no whole number of them
 */
export function readExpiry({ type, expires }: Expiring): number | undefined {
  if (expires === undefined || (Number.isSafeInteger(expires) && expires >= 0)) return expires
  const way = 'such as Math.floor(now() + ms)'
  throw new Error(`${type}: expected expires to be whole Unix milliseconds, ${way}, got ${String(expires)}`)
}
