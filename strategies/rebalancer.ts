/**
 * Rebalancer: holds every market of the run at the same share of the equity, and trades back to it at fixed times.
 *
 * It believes that nobody knows which market does best: what rose is sold a little, what fell is bought. That earns where prices swing
 * against each other, and falls behind where one of them runs away. Small drifts are left alone, for each trade costs.
 */
import { CANDLE_LENGTH_NAMES, defineStrategy } from 'papertape'
import { map } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'rebalancer',

  params: z.object({
    every: z.enum(CANDLE_LENGTH_NAMES).default('1d').describe('time from one look to the next'),
    share: z.number().gt(0).max(1).default(0.9).describe('share of the equity in all markets together'),
    drift: z.number().min(0).max(1).default(0.02).describe('distance that is left alone, as a share of the equity'),
  }),

  run: ({ params: { every: length, share, drift }, markets, portfolio, every, rebalance }) => {
    const assets = markets
      .filter(({ quoteAsset }) => quoteAsset === portfolio().quoteAsset)
      .map(({ baseAsset }) => baseAsset)
    // Rounded down, so that all of them together are never more.
    const each = Math.floor((share / assets.length) * 1e9) / 1e9
    const shares = Object.fromEntries(assets.map((asset) => [asset, each]))

    return every(length).pipe(map(() => rebalance(shares, { drift })))
  },
})
