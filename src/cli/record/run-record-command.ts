/** `papertape record`, after its flags are parsed. */
import { isoTime } from '../../domain/time.ts'
import { readableCount } from '../../report/readable.ts'
import { record, type RecordStatus } from '../../run/record.ts'
import type { RecordingState } from '../../runtime/recording/recordings.ts'
import { readConfigFile } from '../config/config-file.ts'
import { sessionConfig } from '../config/session-sections.ts'
import { columnsOf, io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import type { FlagValues } from '../cli-command.ts'
import { single, type FlagText } from '../option-values.ts'
import { untilSignalled } from '../until-signalled.ts'
import { recordOf, type GivenRecord } from './record-flags.ts'

/** Interval of status lines without a terminal. */
const PLAIN_LINE_MS = 10_000

/**
 * Records until a signal; the second one ends the process immediately.
 *
 * @param values  flags as parsed by yargs
 * @returns       the exit code
 */
export async function recordUntilStopped(values: FlagValues): Promise<number> {
  const file = sessionConfig(await readConfigFile(single('--config', values.config as FlagText)), 'record')
  const { url, symbols, place, ...shown } = recordOf(values, file)
  const output = outputOf(shown)
  io.life.outliveOutput()
  const end = await record({
    url,
    symbols,
    place,
    random: Math.random,
    signal: untilSignalled(),
    onStatus: (status) => {
      output.status(status)
    },
    onWarning: (message) => {
      output.warn(message)
    },
  })
  output.end(end)
  return EXIT.done
}

interface Output {
  status(status: RecordStatus): void
  warn(message: string): void
  end(status: RecordStatus): void
}

function outputOf({ json, quiet }: Pick<GivenRecord, 'json' | 'quiet'>): Output {
  if (json) return JSON_OUTPUT
  if (quiet) return { ...JSON_OUTPUT, status: () => undefined, end: () => undefined }
  return io.stdout.isTTY ? terminalOutput() : plainOutput()
}

const print = (text: string): void => void io.stdout.write(text)
const warn = (message: string): void => void io.stderr.write(`${message}\n`)

const statusJson = (type: 'status' | 'end', status: RecordStatus): string => `${JSON.stringify({ type, ...status })}\n`

/** Status on one line. */
function statusLine({ time, connection, reconnects, markets }: RecordStatus): string {
  const each = markets.map(
    ({ symbol, trades, gaps, lastPrice }) =>
      `${symbol} ${readableCount(trades, 'trade')}, ${readableCount(gaps, 'gap')}${lastPrice === undefined ? '' : `, last ${lastPrice}`}`,
  )
  const again = reconnects === 0 ? '' : `, ${readableCount(reconnects, 'reconnect')}`
  return [isoTime(time), `${connection}${again}`, ...each].join('  ')
}

/** One line per market. */
const endLines = ({ markets }: RecordStatus): string => markets.map((market) => `${endLine(market)}\n`).join('')

function endLine({ symbol, file, trades, gaps, moved }: RecordingState): string {
  const times = moved === 0 ? '' : `, ${readableCount(moved, 'time')} moved to the time of the previous trade`
  return `${symbol}  ${readableCount(trades, 'trade')} recorded, ${readableCount(gaps, 'gap')} marked${times}: ${file}`
}

const JSON_OUTPUT: Output = {
  status: (status) => {
    print(statusJson('status', status))
  },
  warn,
  end: (status) => {
    print(statusJson('end', status))
  },
}

function terminalOutput(): Output {
  const clear = '\r\u001b[K'
  return {
    status: (status) => {
      print(`${clear}${statusLine(status).slice(0, Math.max(20, (columnsOf(io.stdout) ?? 80) - 1))}`)
    },
    warn: (message) => {
      print(clear)
      warn(message)
    },
    end: (status) => {
      print(`${clear}${endLines(status)}`)
    },
  }
}

function plainOutput(): Output {
  let printedAt = Number.NEGATIVE_INFINITY
  return {
    status: (status) => {
      if (status.time - printedAt < PLAIN_LINE_MS) return
      printedAt = status.time
      print(`${statusLine(status)}\n`)
    },
    warn,
    end: (status) => {
      print(endLines(status))
    },
  }
}
