/**
 * A custom liquidity model: like `tape`, but an order that improves on the best quote also has half an average trade
 * ahead of it in the queue, because other traders improve on the quote too.
 */
import { TapeLiquidity, TradeEstimates, type LiquidityFactory, type Side } from 'papertape/liquidity'

class CrowdedLiquidity extends TapeLiquidity {
  override queueAhead(side: Side, price: number): number {
    const joining = super.queueAhead(side, price)
    return joining > 0 ? joining : Math.floor(this.estimates.averageTrade / 2)
  }
}

/** Called once per market of the run. */
const createModel: LiquidityFactory = ({ spread, terms }) => new CrowdedLiquidity(new TradeEstimates(spread), terms)

export default createModel
