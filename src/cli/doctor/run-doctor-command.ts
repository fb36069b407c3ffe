/**
 * `papertape doctor`, once its flags are read: one examination, and a line for each thing that was looked at.
 */
import { printable } from '../../report/terminal-text.ts'
import { doctor, type DoctorReport } from '../../probe/doctor/doctor.ts'
import { givenApiKey } from '../api-key.ts'
import { io } from '../cli-io.ts'
import { readConfigFile } from '../config/config-file.ts'
import { sessionConfig } from '../config/session-sections.ts'
import { EXIT } from '../exit-code.ts'
import { single, type FlagText } from '../option-values.ts'
import { serviceUrl, streamUrl } from '../service-url.ts'

/**
 * @param values  what yargs has made of the flags
 * @returns       the exit code
 * @throws {InputError} for a flag or a key that cannot be used
 */
export async function runDoctor(values: Readonly<Record<string, unknown>>): Promise<number> {
  const text = (flag: string): string | undefined => single(`--${flag}`, values[flag] as FlagText)
  const baseUrl = serviceUrl(text('url') ?? (await urlOfFile(text('config'))))
  const options = { baseUrl, streamUrl: streamUrl(text('stream-url')), key: givenApiKey() }
  const report = await doctor(options)
  io.stdout.write(values.json === true ? `${JSON.stringify(report)}\n` : doctorLines(report))
  return report.canStart ? EXIT.done : EXIT.service
}

/** URL of `papertape live` in the config file. */
async function urlOfFile(config: string | undefined): Promise<string | undefined> {
  return sessionConfig(await readConfigFile(config), 'live').values.url as string | undefined
}

function doctorLines({ checks, canStart }: DoctorReport): string {
  const width = Math.max(...checks.map(({ name }) => name.length))
  const lines = checks.map(
    ({ name, verdict, says }) => `${verdict.padEnd('warning'.length)}  ${name.padEnd(width)}  ${printable(says)}`,
  )
  const faults = checks.filter(({ verdict }) => verdict === 'fault').length
  const end = canStart
    ? 'a live session can start'
    : `a live session cannot start: ${faults} ${faults === 1 ? 'fault' : 'faults'}`
  return `${[...lines, '', end].join('\n')}\n`
}
