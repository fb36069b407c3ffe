/**
 * docs/api.md against the strategy API: tables from the docstrings, every name, an example that runs.
 * `RENEW_DOCS=1 npx vitest run --project fast test/docs/api.test.ts` writes the tables.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cliFolderHere } from '../cli/rig/cli-here.ts'
import { contextNames, withTables } from './rig/api-tables.ts'
import { commandsIn } from './rig/document-commands.ts'

const PROJECT = join(import.meta.dirname, '../..')
const PAGE = join(PROJECT, 'docs/api.md')

/** Members of the context by the header of their table. */
const GROUPS = {
  'Market data': 'candles trades tickers quotes depth book gaps series',
  Timer: 'every daily',
  'Market lookup': 'market markets',
  Rounding: 'floorQty qtyWorth affordableQty floorPrice ceilPrice roundPrice',
  Order: 'buyMarket sellMarket buyLimit sellLimit cancel cancelAll replace',
  Target: 'target rebalance riskQty',
  'Conditional order': 'stopSell stopBuy trailingStop takeProfit oco bracket waitingOrders',
  Account: 'position balance portfolio openOrders orders$ fills$ balances$ outcomes$',
  Helper: 'params now random log state plot note',
}

const page = readFileSync(PAGE, 'utf8')

it('its tables match the docstrings', () => {
  if (process.env.RENEW_DOCS !== undefined) writeFileSync(PAGE, withTables(page, GROUPS))
  else expect(page).toBe(withTables(page, GROUPS))
})

it('its tables have every member of the context, once', () => {
  const names = Object.values(GROUPS).flatMap((group) => group.split(' '))
  expect(names.toSorted()).toEqual(contextNames().toSorted())
  for (const header of Object.keys(GROUPS)) expect(page).toContain(`| ${header} | Meaning |`)
})

it('every row has a meaning of plain sentences', () => {
  const rows = withTables(page, GROUPS).match(/^\| `.* \|$/gm) ?? []
  expect(rows.length).toBeGreaterThan(150)
  for (const row of rows) expect(row).toMatch(/` \| (?:[A-Z`]).*\. \|$|` \| Meaning \|$/)
})

it('it names every export of papertape but the types of indicators', () => {
  const index = readFileSync(join(PROJECT, 'src/index.ts'), 'utf8')
  const values = index.replaceAll(/export type \{[^}]*\} from '.*indicators.*'/g, '')
  const names = [...values.matchAll(/\{([^}]*)\} from '(.*)'/g)].flatMap(
    ([, list = '', file = '']) =>
      (file.includes('/indicators/') ? list.replaceAll(/\btype \w+/g, '') : list).match(/\w+(?=\s*(?:,|$))/g) ?? [],
  )
  expect(names.length).toBeGreaterThan(90)
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([])
})

it('its strategy runs with its command and orders', async () => {
  const { cli, write } = cliFolderHere()
  const [, code = ''] = /```ts\n([^]*?)```/.exec(page) ?? []
  const [command = ''] = commandsIn(page)
  const [, , ...args] = command.replace('data/', `${join(PROJECT, 'data')}/`).split(' ')
  write(code, args[1] ?? '')
  expect(await cli(...args, '--no-bounds')).toMatchObject({ code: 0, stdout: expect.stringMatching(/orders +[1-9]/) })
})
