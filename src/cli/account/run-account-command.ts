/** `papertape account` and the commands below it, once their flags are read. */
import { InputError } from '../../domain/errors.ts'
import type { OrderJson } from '../../domain/order.ts'
import type { PortfolioJson } from '../../domain/portfolio.ts'
import { isoTime } from '../../domain/time.ts'
import type { FillJson } from '../../domain/trade.ts'
import { readableAmount, readableSigned } from '../../report/readable.ts'
import { printable } from '../../report/terminal-text.ts'
import { textTable } from '../../report/text-table.ts'
import { type CancelResult, TradingClient } from '../../run/client/trading-client.ts'
import { apiKey } from '../api-key.ts'
import { io } from '../cli-io.ts'
import { readConfigFile } from '../config/config-file.ts'
import { sessionConfig } from '../config/session-sections.ts'
import { EXIT } from '../exit-code.ts'
import { single, type FlagText } from '../option-values.ts'
import { serviceUrl } from '../service-url.ts'

type FlagValues = Readonly<Record<string, unknown>>

const DEFAULT_ROWS = 20
/** Rows of the longest page of orders and fills. */
const MAX_ROWS = 500
/** Time after which only the rate limit, or a service that does not answer, can keep cancels waiting. */
const PATIENCE_MS = 3_000

/** @returns the exit code */
export async function showAccount(values: FlagValues): Promise<number> {
  const { portfolio, openOrders } = await asked(values, async (client) => ({
    portfolio: await client.portfolio(),
    openOrders: await client.openOrders(),
  }))
  if (values.json === true) printJson({ ...portfolio, openOrders })
  else print([...portfolioLines(portfolio), '', ...orderLines(openOrders, 'no open orders')])
  return EXIT.done
}

/** @returns the exit code */
export async function showOrders(values: FlagValues): Promise<number> {
  const symbol = textOf(values, 'symbol')
  const count = rowsOf(values)
  if (symbol === undefined && textOf(values, 'limit') !== undefined) {
    throw new InputError('--limit', 'needs --symbol: without it, all open orders are listed')
  }
  const orders = await asked(values, async (client) => {
    await refuseUnlisted(client, symbol)
    return await (symbol === undefined ? client.openOrders() : client.orders({ symbol, limit: count }))
  })
  if (values.json === true) printJson(orders)
  else print(orderLines(orders, symbol === undefined ? 'no open orders' : `no orders of ${symbol}`))
  return EXIT.done
}

/** @returns the exit code */
export async function showFills(values: FlagValues): Promise<number> {
  const symbol = textOf(values, 'symbol')
  const count = rowsOf(values)
  // The service cannot select fills of a market.
  const read = await asked(values, async (client) => {
    await refuseUnlisted(client, symbol)
    return await client.fills(symbol === undefined ? count : MAX_ROWS)
  })
  const fills = read.filter((fill) => symbol === undefined || fill.symbol === symbol).slice(0, count)
  if (values.json === true) printJson(fills)
  else print(fillLines(fills))
  if (symbol !== undefined && read.length === MAX_ROWS && fills.length < count) {
    io.stderr.write(`papertape: only the last ${MAX_ROWS} fills of the account were searched\n`)
  }
  return EXIT.done
}

/** @returns the exit code: 3 if an order may still be open */
export async function cancelOrders(values: FlagValues): Promise<number> {
  const ids = (values.orders ?? []) as readonly string[]
  const symbol = textOf(values, 'symbol')
  if (values.all === true ? ids.length > 0 : ids.length === 0) {
    throw new InputError('orders', 'expected the ids of orders, or --all for every open one')
  }
  if (symbol !== undefined && ids.length > 0) throw new InputError('--symbol', 'only goes with --all')
  const outcomes = await asked(values, async (client) => {
    await refuseUnlisted(client, symbol)
    const all = ids.length > 0 ? [] : await client.openOrders()
    const open = all.filter((order) => symbol === undefined || order.symbol === symbol).map(({ id }) => id)
    const chosen = [...new Set([...ids, ...open])]
    const patience = setTimeout(() => {
      warn(
        client.budget.mutations.remaining === 0
          ? 'the rate limit of the key is used up: the other cancels wait, for up to a minute'
          : 'still waiting for the service',
      )
    }, PATIENCE_MS)
    try {
      return await Promise.all(
        chosen.map(async (orderId) => {
          const outcome = { orderId, ...(await client.cancelOrder(orderId)) }
          if (values.json !== true) print([outcomeText(outcome)])
          return outcome
        }),
      )
    } finally {
      clearTimeout(patience)
    }
  })
  if (values.json === true) printJson(outcomes)
  else if (outcomes.length === 0) print(['no open orders'])
  return outcomes.every(isOver) ? EXIT.done : EXIT.service
}

type CancelOutcome = CancelResult & { readonly orderId: string }

/** An order that the service no longer has open needs no cancel. */
const isOver = (outcome: CancelOutcome): boolean =>
  outcome.type === 'cancelled' || (outcome.type === 'refused' && outcome.refusal.code === 'ORDER_NOT_CANCELLABLE')

function outcomeText(outcome: CancelOutcome): string {
  const { orderId } = outcome
  switch (outcome.type) {
    case 'cancelled':
      return `cancelled ${outcome.order === undefined ? `order ${orderId}` : orderText(outcome.order)}`
    case 'refused':
      return `order ${orderId}: ${outcome.refusal.message} (${outcome.refusal.code})`
    case 'unknown':
      return `order ${orderId} may still be open: ${outcome.reason}`
  }
}

function orderText({ id, side, qty, filledQty, symbol, price }: OrderJson): string {
  const at = price === undefined ? 'at market' : `at ${price}`
  return `order ${id}: ${side} ${qty} ${symbol} ${at}, ${filledQty} filled`
}

const warn = (text: string): void => void io.stderr.write(`papertape: ${printable(text)}\n`)

/** Opens the account that the flags, or the config file, name. */
async function asked<T>(values: FlagValues, use: (client: TradingClient) => Promise<T>): Promise<T> {
  const given = textOf(values, 'url')
  const file = given ?? (sessionConfig(await readConfigFile(textOf(values, 'config')), 'live').values.url as FlagText)
  const client = new TradingClient({ url: serviceUrl(single('--url', file)), apiKey: apiKey(), onWarning: warn })
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}

/** @throws {InputError} for a market that the service does not list */
async function refuseUnlisted(client: TradingClient, symbol: string | undefined): Promise<void> {
  if (symbol === undefined) return
  const listed = (await client.markets()).map((market) => market.symbol)
  if (listed.includes(symbol)) return
  throw new InputError('--symbol', `the service lists no market '${symbol}', only ${listed.join(', ')}`)
}

const textOf = (values: FlagValues, flag: string): string | undefined => single(`--${flag}`, values[flag] as FlagText)

function rowsOf(values: FlagValues): number {
  const text = textOf(values, 'limit') ?? String(DEFAULT_ROWS)
  const rows = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : Infinity
  if (rows <= MAX_ROWS) return rows
  throw new InputError('--limit', `expected a whole number from 1 to ${MAX_ROWS}, got '${text}'`)
}

function portfolioLines(portfolio: PortfolioJson): readonly string[] {
  const { quoteAsset, equity, pnl, pnlPercent, baselineAt, asOf, partial, positions } = portfolio
  const rows = positions.map(({ asset, available, locked, total, markPrice, value }) => [
    asset,
    ...[available, locked, total, markPrice, value].map((amount) => readableAmount(amount)),
  ])
  return [
    `equity  ${readableAmount(equity)} ${quoteAsset}, valued with prices of ${asOf}`,
    `profit  ${readableSigned(pnl)} ${quoteAsset} (${readableSigned(pnlPercent)} %) since ${baselineAt}`,
    ...(partial ? ['warning: a holding has no price, so equity and profit are incomplete'] : []),
    '',
    ...textTable(['asset', ...POSITION], rows, new Set(POSITION)),
  ]
}

const POSITION = ['available', 'locked', 'total', 'price', 'value']

const ORDER = ['order', 'symbol', 'side', 'type', 'status', 'price', 'qty', 'filled', 'average', 'created']
const FILL = ['time', 'symbol', 'side', 'price', 'qty', 'maker', 'order']
const NUMBERS: ReadonlySet<string> = new Set(['price', 'qty', 'filled', 'average'])

function orderLines(orders: readonly OrderJson[], none: string): readonly string[] {
  if (orders.length === 0) return [none]
  const rows = orders.map(({ id, symbol, side, type, status, price, qty, filledQty, averagePrice, createdAt }) => [
    ...[id, symbol, side, type, status, price ?? '-', qty, filledQty, averagePrice ?? '-', createdAt],
  ])
  return textTable(ORDER, rows, NUMBERS)
}

function fillLines(fills: readonly FillJson[]): readonly string[] {
  if (fills.length === 0) return ['no fills']
  const rows = fills.map(({ createdAt, symbol, side, price, qty, isMaker, orderId }) => [
    ...[isoTime(createdAt), symbol, side, price, qty, isMaker ? 'maker' : 'taker', orderId],
  ])
  return textTable(FILL, rows, NUMBERS)
}

const print = (lines: readonly string[]): void =>
  void io.stdout.write(lines.map((line) => `${printable(line)}\n`).join(''))

const printJson = (value: unknown): void => void io.stdout.write(`${JSON.stringify(value)}\n`)
