/**
 * The account that is looked at: what it is worth, what it has, its open orders, fills and budgets.
 */
import type { WindowAccount, WindowBudget } from '../../src/server/window/window-frame.ts'
import { byId, el, Rows, setClass, setText } from '../parts/dom.ts'
import {
  clockTime,
  grouped,
  marketWords,
  percent,
  shortly,
  sideWords,
  signed,
  toneOf,
  trimmed,
} from '../parts/words.ts'

export interface AccountViewOptions {
  readonly cancel: (order: string) => void
}

export class AccountView {
  readonly #orders: Rows
  readonly #fills = new Rows(byId('fills', HTMLTableElement), { empty: 'no fills yet' })
  readonly #positions = new Rows(byId('positions', HTMLTableElement), { empty: 'no balances' })
  readonly #budgets = byId('budgets', HTMLElement)
  #budgetText = ''

  constructor({ cancel }: AccountViewOptions) {
    this.#orders = new Rows(byId('orders', HTMLTableElement), {
      empty: 'no open orders',
      action: {
        text: 'Cancel',
        label: ({ cells: [time = '', symbol = '', side = '', price = '', qty = ''] }) =>
          `Cancel ${side.toLowerCase()} of ${qty} ${symbol} at ${price}, placed at ${time}`,
        run: ({ key }) => {
          cancel(key)
        },
      },
    })
  }

  show(account: WindowAccount | null): void {
    const { portfolio, balances, openOrders, openCount, fills, budgets } = account ?? NOBODY
    const { equity, quoteAsset, pnl, pnlPercent, partial, positions } = portfolio
    setText(byId('equity', HTMLElement), account === null ? '–' : `${shortly(equity, 2)} ${quoteAsset}`)
    const change = byId('pnl', HTMLElement)
    setText(change, account === null ? '' : `${grouped(signed(shortly(pnl, 2)))} (${percent(Number(pnlPercent))})`)
    setClass(change, toneOf(pnl))
    byId('partial', HTMLElement).hidden = !partial
    const marks = new Map(positions.map(({ asset, value }) => [asset, value]))
    this.#positions.show(
      Object.entries(balances).map(([asset, { available, locked }]) => ({
        key: asset,
        cells: [asset, shortly(available, 4), shortly(locked, 4), shortly(marks.get(asset) ?? '–', 2)],
        titles: ['', available, locked, marks.get(asset) ?? ''],
      })),
    )
    this.#orders.show(
      openOrders.map(({ id, symbol, side, price, qty, filledQty, status, createdAt }) => ({
        key: id,
        cells: [
          ...[
            clockTime(Date.parse(createdAt)),
            marketWords(symbol),
            sideWords(side),
            grouped(price ?? 'market'),
            trimmed(qty),
          ],
          ...[trimmed(filledQty), statusWords(status)],
        ],
        tone: side === 'BUY' ? 'buy' : 'sell',
      })),
    )
    setText(byId('orders-count', HTMLElement), openCount === 0 ? '' : String(openCount))
    this.#fills.show(
      fills.map(({ id, symbol, side, price, qty, isMaker, createdAt, orderId }) => ({
        key: `${id} ${orderId}`,
        cells: [
          ...[clockTime(createdAt), marketWords(symbol), sideWords(side), grouped(price), trimmed(qty)],
          ...[isMaker ? 'maker' : 'taker', orderId],
        ],
        tone: side === 'BUY' ? 'buy' : 'sell',
      })),
    )
    this.#showBudgets(budgets)
  }

  #showBudgets(budgets: WindowAccount['budgets']): void {
    const text = JSON.stringify(budgets)
    if (text === this.#budgetText) return
    this.#budgetText = text
    this.#budgets.replaceChildren(
      ...budgets.flatMap(({ key, general, mutations }) => [
        el('dt', {}, `key ${key}`),
        el('dd', {}, ...meterOf(`requests of key ${key}`, general), 'requests'),
        el('dd', {}, ...meterOf(`orders and cancels of key ${key}`, mutations), 'orders and cancels'),
      ]),
    )
  }
}

function meterOf(label: string, { limit, remaining }: WindowBudget): (Node | string)[] {
  const low = String(limit / 4)
  const meter = el('meter', { min: '0', max: String(limit), low, optimum: String(limit), value: String(remaining) })
  meter.setAttribute('aria-label', `${label}: ${remaining} of ${limit} left`)
  return [meter, el('span', { class: 'number' }, `${remaining} / ${limit}`), ' ']
}

export const statusWords = (status: string): string =>
  status === 'PARTIALLY_FILLED' ? 'partly filled' : status.toLowerCase()

const NOBODY: Pick<WindowAccount, 'portfolio' | 'balances' | 'openOrders' | 'openCount' | 'fills' | 'budgets'> = {
  portfolio: {
    ...{ quoteAsset: '', equity: '0', baselineEquity: '0', pnl: '0', pnlPercent: '0', baselineAt: '', asOf: '' },
    ...{ partial: false, positions: [] },
  },
  ...{ balances: {}, openOrders: [], openCount: 0, fills: [], budgets: [] },
}
