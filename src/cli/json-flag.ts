/**
 * The flag that asks for a result as data: one JSON object on stdout, and nothing else there.
 */
import type { Options } from 'yargs'
import { io } from './cli-io.ts'

export const JSON_FLAG = {
  type: 'boolean',
  describe: 'print only one JSON object on stdout',
} as const satisfies Options

export const printJson = (value: unknown): void => void io.stdout.write(`${JSON.stringify(value)}\n`)
