/**
 * The overview that `papertape` prints by itself: the first things to try, and every command in a line.
 */
import { COMMAND_GROUPS, commandWords } from './commands.ts'

/** Last, where a small terminal still shows it. */
const FIRST_STEPS = `
Try first:
  papertape generate --days 30 --out btc_usd.csv.gz
  papertape backtest grid --tape BTC_USD=btc_usd.csv.gz --out run
  papertape report run --open

Run papertape <command> --help to see the flags of a command.
The page docs/errors.md explains error messages and refusal codes.
`

/** Whole lines of at most 80 columns. */
export function overview(): string {
  const width = Math.max(
    ...COMMAND_GROUPS.flatMap(({ commands }) => commands.map((each) => commandWords(each).name.length)),
  )
  const groups = COMMAND_GROUPS.map(({ title, commands }) => {
    const lines = commands.map((each) => `  ${commandWords(each).name.padEnd(width)}  ${String(each.describe)}\n`)
    return `\n${title}:\n${lines.join('')}`
  })
  return `papertape <command> [flags]\n${groups.join('')}${FIRST_STEPS}`
}
