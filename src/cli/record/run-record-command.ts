/**
 * `papertape record`, once its flags are read.
 */
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { record, type RecordStatus } from '../../run/record.ts'
import type { RecordingPlace } from '../../runtime/recording/recordings.ts'
import { serviceUrlForm } from '../../runtime/settings/live-settings.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import { single, type FlagText } from '../option-values.ts'
import { storeOf } from '../store-flag.ts'
import { untilSignalled } from '../until-signalled.ts'
import { endLines, statusJson, statusLine } from './record-output.ts'

type FlagValues = Readonly<Record<string, unknown>>

/** Where the line cannot be updated in place. */
const PLAIN_LINE_MS = 10_000

/**
 * Records until a signal ends it; the second ends the process at once.
 *
 * @param values  what yargs has made of the flags
 * @returns       the exit code
 */
export async function recordUntilStopped(values: FlagValues): Promise<number> {
  const url = serviceUrlForm.ofText(
    setting('url'),
    needed('url', values, 'the base URL of a service, such as --url http://127.0.0.1:8080/v1'),
  )
  const symbols = needed('symbols', values, 'markets, such as --symbols BTC_USD,ETH_USD').split(',').filter(Boolean)
  const output = outputOf(values)
  io.life.outliveOutput()
  const end = await record({
    url,
    symbols,
    place: placeOf(values),
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

function placeOf({ db, out }: FlagValues): RecordingPlace {
  const folder = single('--out', out as FlagText)
  if (folder === undefined) return { form: 'store', path: storeOf(db) }
  if (db !== undefined) throw new InputError(setting('out'), 'cannot be combined with --db; pass one of them')
  return { form: 'folder', path: folder }
}

function needed(name: string, values: FlagValues, what: string): string {
  const value = single(`--${name}`, values[name] as FlagText)
  if (value === undefined) throw new InputError(setting(name), `expected ${what}`)
  return value
}

interface Output {
  status(status: RecordStatus): void
  warn(message: string): void
  end(status: RecordStatus): void
}

function outputOf({ json, quiet }: FlagValues): Output {
  if (json === true) return JSON_OUTPUT
  if (quiet === true) return { ...JSON_OUTPUT, status: () => undefined, end: () => undefined }
  return io.stdout.isTTY ? terminalOutput() : plainOutput()
}

const print = (text: string): void => void io.stdout.write(text)
const warn = (message: string): void => void io.stderr.write(`${message}\n`)

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
      print(`${clear}${statusLine(status).slice(0, Math.max(20, (io.stdout.columns ?? 80) - 1))}`)
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
