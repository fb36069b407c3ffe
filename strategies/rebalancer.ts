/**
 * Rebalancer: holds every market of the run at the same share of equity, and rebalances at fixed times.
 *
 * Makes no forecast: it sells part of what rose and buys what fell. That earns when prices swing against each other,
 * and falls behind when one market runs away. Small drifts are left alone, because each trade costs.
 */
import { CANDLE_LENGTH_NAMES, defineStrategy } from 'papertape'
import { map } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'rebalancer',

  params: z.object({
    every: z.enum(CANDLE_LENGTH_NAMES).default('1d').describe('time between rebalancings'),
    share: z.number().gt(0).max(1).default(0.9).describe('share of equity in all markets together'),
    drift: z.number().min(0).max(1).default(0.02).describe('drift that is left alone, as a share of equity'),
  }),

  run: ({ params: { every: length, share, drift }, markets, portfolio, every, rebalance }) => {
    const assets = markets
      .filter(({ quoteAsset }) => quoteAsset === portfolio().quoteAsset)
      .map(({ baseAsset }) => baseAsset)
    // Rounded down, so that the sum never exceeds `share`.
    const each = Math.floor((share / assets.length) * 1e9) / 1e9
    const shares = Object.fromEntries(assets.map((asset) => [asset, each]))

    return every(length).pipe(map(() => rebalance(shares, { drift })))
  },
})
