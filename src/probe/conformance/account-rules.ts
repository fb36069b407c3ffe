/** Rules of the account (sections 2 and 4): balances, portfolio, own trades. */
import { pathPart } from '../../adapter/live/rest/rest-transport.ts'
import { balancesSchema, portfolioSchema, privateTradeSchema } from '../../wire/schemas.ts'
import {
  bodyOf,
  checkFalling,
  checkRows,
  decimalIn,
  expectError,
  type Row,
  rowsOf,
  schemaFault,
} from './answer-reading.ts'
import { REFUSED_LIMITS } from './market-rules.ts'
import { neverShown, ruleThatNeeds, type Rule } from './rule.ts'
import { Broken, requireRule, NotShown } from './verdict.ts'
import type { WatchedService } from './watched-service.ts'

const balances = async (service: WatchedService): Promise<Row> => bodyOf(await service.read('/balances'), 200) as Row
const portfolio = async (service: WatchedService): Promise<Row> => bodyOf(await service.read('/portfolio'), 200) as Row
const fills = async (service: WatchedService): Promise<readonly Row[]> =>
  rowsOf(bodyOf(await service.read('/trades?limit=500'), 200))

const rule = ruleThatNeeds('key')

async function checkPortfolioSums(service: WatchedService): Promise<void> {
  const { equity, baselineEquity, pnl, positions } = await portfolio(service)
  const change = decimalIn(equity).minus(decimalIn(baselineEquity))
  // A service may round what it shows.
  const isNear = change.minus(decimalIn(pnl)).abs().lte('0.01')
  requireRule(isNear, () => `equity ${String(equity)}, baselineEquity ${String(baselineEquity)}, pnl ${String(pnl)}`)
  for (const { asset, available, locked, total } of rowsOf(positions)) {
    const isSum = decimalIn(available).plus(decimalIn(locked)).eq(decimalIn(total))
    requireRule(
      isSum,
      () => `${String(asset)}: available ${String(available)}, locked ${String(locked)}, total ${String(total)}`,
    )
  }
}

function checkOwn({ id, side, orderId, buyOrderId, sellOrderId }: Row): void {
  const own = side === 'BUY' ? buyOrderId : sellOrderId
  requireRule(
    orderId === own,
    () => `trade ${String(id)}: side ${String(side)}, orderId ${String(orderId)} is not the order of that side`,
  )
}

export const ACCOUNT_RULES: readonly Rule[] = [
  rule('balances', 2, 'balances have available and locked, by asset', async (service) => {
    const fault = schemaFault(balancesSchema, await balances(service))
    if (fault !== undefined) throw new Broken(fault)
  }),
  rule('balances-asset', 4, 'GET /balances: asset restricts the result to one asset', async (service) => {
    const [asset] = Object.keys(await balances(service))
    if (asset === undefined) throw new NotShown('no asset is listed')
    const one = bodyOf(await service.read(`/balances?asset=${pathPart(asset)}`), 200) as Row
    requireRule(Object.keys(one).join() === asset, () => `asked for ${asset}, got ${Object.keys(one).join(', ')}`)
  }),
  rule('balances-unknown', 4, 'an unknown asset is 404 ASSET_NOT_FOUND', async (service) => {
    expectError(await service.read('/balances?asset=NOSUCHASSET'), 404, 'ASSET_NOT_FOUND')
  }),
  rule('portfolio', 2, 'a portfolio has its fields', async (service) => {
    const fault = schemaFault(portfolioSchema, await portfolio(service))
    if (fault !== undefined) throw new Broken(fault)
  }),
  rule('portfolio-sums', 2, 'pnl is equity minus baseline; total is available plus locked', checkPortfolioSums),
  rule('fill-fields', 2, 'a private trade has its fields', async (service) =>
    checkRows(await fills(service), privateTradeSchema, 'private trade'),
  ),
  rule('fills-own', 4, "a private trade names the caller's side and order", async (service) => {
    const rows = await fills(service)
    for (const row of rows) checkOwn(row)
    if (rows.length === 0) throw new NotShown('the account has no trades')
  }),
  rule('fills-newest-first', 4, 'GET /trades is newest first', async (service) =>
    checkFalling(
      (await fills(service)).map(({ createdAt }) => Number(createdAt)),
      'private trade',
    ),
  ),
  rule('fills-limit', 8, 'private trades: at most limit are returned', async (service) => {
    if ((await fills(service)).length < 2) throw new NotShown('the account has fewer than two trades')
    const { length } = rowsOf(bodyOf(await service.read('/trades?limit=1'), 200))
    requireRule(length === 1, () => `${length} private trades with limit=1`)
  }),
  rule(
    'fills-limit-range',
    8,
    'private trades: limit is an integer from 1 to 500, else 400 VALIDATION_ERROR',
    async (service) => {
      for (const limit of REFUSED_LIMITS) {
        expectError(await service.read(`/trades?limit=${limit}`), 400, 'VALIDATION_ERROR')
      }
    },
  ),
  neverShown(
    'portfolio-unavailable',
    4,
    'a valuation that fails is 503 PORTFOLIO_UNAVAILABLE',
    'the test causes no failure on purpose',
  ),
]
