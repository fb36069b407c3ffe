/**
 * `papertape conformance`, once its flags are read: one question, and its answer as a table or a line.
 */
import { conformance, type ConformanceReport } from '../../run/conformance/conformance.ts'
import { givenApiKey } from '../api-key.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import { single, type FlagText } from '../option-values.ts'
import { serviceUrl, streamUrl } from '../service-url.ts'
import { onEndSignals } from '../until-signalled.ts'
import { conformanceTable } from './conformance-table.ts'

/**
 * @param values  what yargs has made of the flags
 * @returns       the exit code
 * @throws {InputError} for a flag or a key that cannot be used
 */
export async function runConformance(values: Readonly<Record<string, unknown>>): Promise<number> {
  const text = (flag: string): string | undefined => single(`--${flag}`, values[flag] as FlagText)
  const stopping = new AbortController()
  const options = {
    baseUrl: serviceUrl(text('url')),
    streamUrl: streamUrl(text('stream-url')),
    key: givenApiKey(),
    mayTrade: values.trade === true,
    signal: stopping.signal,
  }
  const forget = onEndSignals({
    first: () => {
      stopping.abort()
    },
  })
  const report = await conformance(options)
  forget()
  io.stdout.write(values.json === true ? `${JSON.stringify(report)}\n` : conformanceTable(report, io.stdout.columns))
  return isFine(report) ? EXIT.done : EXIT.service
}

const isFine = ({ unusable, rules, left }: ConformanceReport): boolean =>
  unusable === undefined && left.length === 0 && rules.every(({ verdict }) => verdict !== 'broken')
