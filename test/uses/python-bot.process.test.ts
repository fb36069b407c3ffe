/**
 * A bot in Python on the emulator, both as programs: an order whose answer is lost is found and not doubled, a kill of
 * the emulator loses nothing, and every amount is exact.
 */
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { servers } from '../cli/rig/serving.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder, write } = temporaryFiles()
const serve = servers()

/** Says in JSON what it has done; places nothing twice. */
const BOT = `
import json, sys, time, urllib.error, urllib.request
base, key, step = sys.argv[1:]
SENT = {"symbol": "BTC_USD", "side": "BUY", "type": "LIMIT", "price": "11000.00", "qty": "0.12345"}

def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(base + path, data, {"x-api-key": key, "content-type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)

def mine():
    return [order for order in call("GET", "/orders/open") if float(order["price"]) == 11000]

if step == "trade":
    lost = False
    try:
        call("POST", "/orders", SENT)
    except (urllib.error.URLError, ConnectionError, OSError):
        lost = True
    for _ in range(50):
        found = mine()
        if found:
            break
        time.sleep(0.2)
    bought = call("POST", "/orders", {"symbol": "BTC_USD", "side": "BUY", "type": "MARKET", "qty": "0.1"})
    print(json.dumps({"lost": lost, "found": len(found), "bought": bought["status"], "balances": call("GET", "/balances")}))
else:
    found = mine()
    for order in found:
        call("DELETE", f"/orders/{order['id']}")
    print(json.dumps({"cancelled": len(found), "left": len(mine()), "fills": call("GET", "/trades"), "balances": call("GET", "/balances")}))
`

interface Balance {
  readonly available: string
  readonly locked: string
}
type Balances = Readonly<Record<string, Balance>>
interface Traded {
  readonly lost: boolean
  readonly found: number
  readonly bought: string
  readonly balances: Balances
}
interface Ended {
  readonly cancelled: number
  readonly left: number
  readonly fills: readonly { readonly price: string; readonly qty: string }[]
  readonly balances: Balances
}

/** In the tenth decimal, exactly. */
const units = (text = ''): bigint => {
  const [whole = '', part = ''] = text.split('.')
  return BigInt(whole + part.padEnd(10, '0'))
}
const held = ({ available, locked }: Balance): bigint => units(available) + units(locked)

const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) console.warn('no python3 on this machine: the use of a bot in Python is skipped')

it.skipIf(!hasPython)('trades through a lost answer and a kill of the emulator', async () => {
  const bot = write(BOT, 'bot.py')
  const args = ['--json', '--state', `${folder}/exchange.db`]
  const first = serve(args)
  const before = await first.line()
  const key = before.users[0]?.keys[0] ?? ''
  const step = async <Said>(baseUrl: string, name: string): Promise<Said> => {
    const { stdout } = await promisify(execFile)('python3', [bot, baseUrl, key, name])
    return JSON.parse(stdout) as Said
  }
  await fetch(`${before.emulatorUrl}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fault: 'reset-after', route: 'POST /orders', count: 1 }),
  })
  const traded = await step<Traded>(before.baseUrl, 'trade')
  expect(traded).toMatchObject({ lost: true, found: 1, bought: 'FILLED' })
  // The order that rests: 11000.00 times 0.12345, and no fees.
  expect(units(traded.balances.USD?.locked)).toBe(units('1357.95'))

  await first.stop('SIGKILL')
  const again = serve(args)
  const ended = await step<Ended>((await again.line()).baseUrl, 'end')
  expect(ended).toMatchObject({ cancelled: 1, left: 0 })
  const paid = ended.fills.reduce((sum, { price, qty }) => sum + (units(price) * units(qty)) / 10n ** 10n, 0n)
  const [usd, btc] = [ended.balances.USD, ended.balances.BTC]
  const [usdBefore, btcBefore] = [traded.balances.USD, traded.balances.BTC]
  if (!usd || !btc || !usdBefore || !btcBefore) throw new Error('expected balances of BTC and USD')
  expect([held(usd), held(btc)]).toEqual([held(usdBefore), held(btcBefore)])
  expect(units(usd.locked)).toBe(0n)
  expect(paid).toBeGreaterThan(0n)
  expect((await again.stop('SIGTERM')) === 0).toBe(true)
})
