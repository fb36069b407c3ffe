/** The board of a season, live, or asked for every few seconds without a line; `#ACCOUNT` shows one player. */
import type { SeasonBoard } from '../../src/server/arena/arena-board.ts'
import type { PlayerResult } from '../../src/server/arena/season-result.ts'
import { byId, el, setClass, setText } from '../parts/dom.ts'
import { dateTime, grouped, percent } from '../parts/words.ts'

const EVERY_MS = 5_000
const [WIDTH, HEIGHT] = [1_000, 260]
const COLOURS = ['#2f7fd6', '#d6622f', '#2fa36b', '#a04fd0', '#c9a227', '#c23b6a', '#3aa7b5', '#7a7a7a']
const SVG = 'http://www.w3.org/2000/svg'

let board: SeasonBoard | undefined

const chosen = (): string => decodeURIComponent(location.hash.slice(1))

function showHead({ name, state, now, journal }: SeasonBoard): void {
  setText(byId('name', HTMLElement), `arena: ${name}`)
  setText(byId('state', HTMLElement), state)
  setClass(byId('state', HTMLElement), `state ${state === 'running' ? 'live' : ''}`)
  setText(byId('now', HTMLElement), dateTime(now))
  const lines = `${journal.lines} lines, digest of the last: ${journal.digest}`
  const more = state === 'over' ? [' ', el('a', { href: '/arena/journal' }, 'Download')] : ['; public at the end']
  byId('proof', HTMLParagraphElement).replaceChildren(lines, ...more)
}

function show(): void {
  if (board === undefined) return
  showHead(board)
  const { start, end, result, quoteAsset } = board
  const only = chosen()
  const isShown = ({ account }: { readonly account: string }): boolean => only === '' || account === only
  byId('all', HTMLAnchorElement).hidden = only === ''
  const accounts = Object.keys(board.curves)
  const rows = result.players.filter(isShown).map((player) => rowOf(player, colourOf(accounts, player.account)))
  byId('board', HTMLTableElement).tBodies[0]?.replaceChildren(...rows)
  const found = result.findings.filter(({ accounts }) => only === '' || accounts.includes(only))
  const out = [
    ...result.players.filter(isShown).flatMap(({ name, strategy }) => {
      const { stopped } = strategy ?? {}
      return stopped === undefined
        ? []
        : [el('li', {}, `${name} was stopped: ${stopped.reason} (line ${stopped.line})`)]
    }),
    ...result.disqualified.filter(isShown).map((each) => el('li', {}, proofWords(each, result.players))),
    ...found.map(({ kind, sentence, lines }) =>
      el('li', {}, `${kind}: ${sentence} (line ${lines.slice(0, 20).join(', ')})`),
    ),
  ]
  byId('disqualified', HTMLUListElement).replaceChildren(...out)
  byId('disqualified-panel', HTMLElement).hidden = out.length === 0
  const [low, high] = drawCurves(board, only)
  const values = low <= high ? `${grouped(String(low))} to ${grouped(String(high))} ${quoteAsset}, ` : ''
  setText(byId('range', HTMLElement), `${values}${dateTime(start)} to ${dateTime(end)}`)
}

const colourOf = (accounts: readonly string[], account: string): string =>
  COLOURS[accounts.indexOf(account) % COLOURS.length] ?? ''

function rowOf(
  { account, name, rank, equity, totalReturn, drawdown, sharpe, sharpeInterval, balances, strategy }: PlayerResult,
  colour: string,
): HTMLElement {
  const mark = el('span', { 'aria-hidden': 'true' }, '■ ')
  mark.style.color = colour
  const kind = strategy === undefined ? '' : strategy.stopped === undefined ? ' (strategy)' : ' (strategy, stopped)'
  const held = Object.entries(balances).map(([asset, { available, locked }]) =>
    Number(locked) === 0 ? `${grouped(available)} ${asset}` : `${grouped(available)} + ${grouped(locked)} ${asset}`,
  )
  const interval = sharpeInterval === null ? '' : ` (${sharpeInterval.map((each) => each.toFixed(1)).join(' to ')})`
  const cells = [
    rank === null ? 'disqualified' : String(rank),
    el('span', {}, mark, el('a', { href: `#${encodeURIComponent(account)}` }, name), kind),
    grouped(equity),
    totalReturn === null ? '' : percent(totalReturn * 100),
    drawdown === null ? '' : percent(-drawdown * 100),
    sharpe === null ? '' : `${sharpe.toFixed(1)}${interval}`,
    held.join(', '),
  ]
  return el('tr', {}, ...cells.map((cell) => el('td', {}, cell)))
}

function proofWords(
  { account, reason, lines, times }: SeasonBoard['result']['disqualified'][number],
  players: readonly PlayerResult[],
): string {
  const name = players.find((each) => each.account === account)?.name ?? account
  const proof = [...lines.map((line) => `line ${line}`), ...times.map(dateTime)].join(', ')
  return `${name}: ${reason}${proof === '' ? '' : ` (${proof})`}`
}

/** @returns the smallest and the largest value */
function drawCurves({ curves, times }: SeasonBoard, only: string): readonly [number, number] {
  const shown = Object.entries(curves).filter(([account]) => only === '' || account === only)
  const all = shown.flatMap(([, curve]) => curve.map(Number))
  const [low, high] = [all.reduce((a, b) => Math.min(a, b), Infinity), all.reduce((a, b) => Math.max(a, b), -Infinity)]
  const accounts = Object.keys(curves)
  const lines = shown.map(([account, curve]) => {
    const points = curve.map((value, index) => {
      const x = times.length < 2 ? 0 : (index / (times.length - 1)) * WIDTH
      const y = high === low ? HEIGHT / 2 : HEIGHT - 4 - ((Number(value) - low) / (high - low)) * (HEIGHT - 8)
      return `${x.toFixed(1)},${y.toFixed(1)}`
    })
    const line = document.createElementNS(SVG, 'polyline')
    line.setAttribute('points', points.join(' '))
    line.setAttribute('fill', 'none')
    line.setAttribute('vector-effect', 'non-scaling-stroke')
    line.setAttribute('stroke', colourOf(accounts, account))
    return line
  })
  document.querySelector('#curves')?.replaceChildren(...lines)
  return [low, high]
}

async function ask(): Promise<void> {
  const response = await fetch('/arena/board')
  if (!response.ok) throw new Error(`status ${response.status}`)
  board = (await response.json()) as SeasonBoard
  show()
}

/** A frame without results leaves them as they are. */
function hear(text: string): void {
  const frame = JSON.parse(text) as SeasonBoard | Omit<SeasonBoard, 'result' | 'times' | 'curves'>
  if ('result' in frame) {
    board = frame
    show()
  } else if (board !== undefined) {
    board = { ...board, ...frame }
    showHead(board)
  }
}

function follow(): void {
  const line = new WebSocket(`${location.protocol.replace('http', 'ws')}//${location.host}/arena/live`)
  line.addEventListener('message', ({ data }) => {
    hear(String(data))
  })
  line.addEventListener('close', () => {
    // A season that is over does not change.
    if (board?.state === 'over') return
    ask()
      .catch(() => {
        setText(byId('state', HTMLElement), 'not connected')
        setClass(byId('state', HTMLElement), 'state lost')
      })
      .finally(() => setTimeout(follow, EVERY_MS))
  })
}

addEventListener('hashchange', show)
follow()
