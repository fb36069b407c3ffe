/**
 * A liquidity model of one's own: like `tape`, but an order that betters the crowd's quote has half a clip ahead of it as well, for
 * others better the quote, too.
 */
import { TapeLiquidity, TradeEstimates, type LiquidityFactory, type Side } from 'papertape/liquidity'

class CrowdedLiquidity extends TapeLiquidity {
  override queueAhead(side: Side, price: number): number {
    const joining = super.queueAhead(side, price)
    return joining > 0 ? joining : Math.floor(this.estimates.clip / 2)
  }
}

/** Called once for each market of the run. */
const createModel: LiquidityFactory = ({ spread, terms }) => new CrowdedLiquidity(new TradeEstimates(spread), terms)

export default createModel
