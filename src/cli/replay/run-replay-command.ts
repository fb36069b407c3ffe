/**
 * `papertape replay`, once its argument is read: the page of a run until a signal ends it.
 */
import { once } from 'node:events'
import { readReplayedFiles } from '../../run/replayed-files.ts'
import { version } from '../../runtime/version.ts'
import { serveReplay } from '../../server/window/replay-window.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import { printJson } from '../shared-flags.ts'
import { untilSignalled } from '../until-signalled.ts'
import { windowPortOf } from '../window-port.ts'

/** @returns the exit code */
export async function replayUntilStopped(
  directory: string,
  values: Readonly<Record<string, unknown>>,
): Promise<number> {
  const port = windowPortOf(values) ?? 0
  const files = readReplayedFiles(directory)
  for (const fault of files.faults) io.stderr.write(`${fault}\n`)
  const signal = untilSignalled()
  io.life.outliveOutput()
  const page = await serveReplay(files, { port, name: directory, version: version() })
  if (values.json === true) printJson({ url: page.url })
  else io.stdout.write(`replay at ${page.url}; press Ctrl-C to stop\n`)
  const reading = files.recording.read(directory, files.run.markets, signal)
  if (!signal.aborted) await Promise.all([reading, once(signal, 'abort')])
  await page.close()
  return EXIT.done
}
