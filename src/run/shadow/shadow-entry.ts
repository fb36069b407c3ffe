/** The process of a shadow: a paper session with the capital and the terms of a live one. */
import { isoTime } from '../../domain/time.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { paramInfos } from '../../runtime/strategies/params.ts'
import { loadStrategy } from '../../runtime/strategies/strategy-file.ts'
import { endWithParent } from '../child-process.ts'
import { paper } from '../paper.ts'
import type { PaperStrategy } from '../paper-options.ts'
import type { ShadowCommand, ShadowJob, ShadowMessage, ShadowParams } from './shadow-messages.ts'

const ALIVE_MS = 1_000

const end = new AbortController()
let userId: string | undefined
let isOver = false

const send = (message: ShadowMessage): void => {
  process.send?.(message, undefined, undefined, () => undefined)
}

/** Its output is a file. */
const note = (line: string): void => void process.stderr.write(`${line}\n`)

endWithParent(() => {
  end.abort()
  if (isOver) process.exit()
})
process.once('message', (job: ShadowJob) => {
  process.on('message', (command: ShadowCommand) => {
    if (command.type === 'user') ({ userId } = command)
    else end.abort()
  })
  void live(job)
})

async function live(job: ShadowJob): Promise<void> {
  // eslint-disable-next-line papertape/no-clock -- for the process that watches this one; no result rests on it
  setInterval(send, ALIVE_MS, { type: 'alive' }).unref()
  try {
    send({ type: 'ended', run: await run(job) })
  } catch (error) {
    send({ type: 'failed', message: thrownText(error) })
  }
  isOver = true
  if (!process.connected) process.exit()
}

async function run({ url, series, credits, terms, out, symbol, ...job }: ShadowJob): ReturnType<typeof paper> {
  const { strategy, names } = await strategyOf(job)
  return await paper(
    {
      ...{ strategy, url, series, credits, terms, out, symbol: names.has('symbol') ? symbol : undefined },
      paramTexts: { ...having(names, job.shared.texts, job.own.values), ...job.own.texts },
      signal: end.signal,
      onWarning: note,
      listener: {
        onStart: (directory) => {
          send({ type: 'started', directory })
        },
        onLog: (time, message) => {
          note(`${isoTime(time)} ${message}`)
        },
      },
    },
    () => userId,
  )
}

type Asked = Pick<ShadowJob, 'strategy' | 'shared' | 'own'>

/** The strategy with the names of its parameters. @throws {InputError} if it cannot be loaded */
async function strategyOf({
  strategy: path,
  shared,
  own,
}: Asked): Promise<{ readonly strategy: PaperStrategy; readonly names: ReadonlySet<string> }> {
  const { strategy } = await loadStrategy(path)
  const names = new Set(paramInfos(strategy).map(({ name }) => name))
  return { strategy: { strategy: path, params: { ...having(names, shared.values), ...own.values } }, names }
}

/** The values of the named parameters, without those that are given otherwise. */
const having = <Value>(
  names: ReadonlySet<string>,
  values: Readonly<Record<string, Value>>,
  given: ShadowParams['values'] = {},
): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name) && !Object.hasOwn(given, name)))
