/** A tool for language models: its input, and its answer. */
import type { z } from 'zod'
import { InputError } from '../../domain/errors.ts'

/** Permissions, each of which the user grants for the whole server. */
export const SCOPES = ['read', 'paper', 'live'] as const

export type Scope = (typeof SCOPES)[number]

export interface ToolAnswer {
  readonly text: string
  /** PNG. */
  readonly picture?: Buffer
  /** True for a failure that the model can correct. */
  readonly isError?: boolean
}

export interface Tool {
  readonly name: string
  /** Undefined for one that goes with the tools of every scope. */
  readonly scope: Scope | undefined
  readonly describe: string
  /** True if it writes no file and starts no program that goes on. */
  readonly isReadOnly: boolean
  readonly input: z.ZodObject
  /** @throws {InputError} for invalid input */
  readonly call: (given: unknown, signal: AbortSignal) => Promise<ToolAnswer> | ToolAnswer
}

interface ToolOf<Input extends z.ZodObject> extends Omit<Tool, 'call' | 'input'> {
  readonly input: Input
  readonly call: (given: z.output<Input>, signal: AbortSignal) => Promise<ToolAnswer> | ToolAnswer
}

/** The same tool with its input checked. */
export const checkedTool = <Input extends z.ZodObject>({ call, ...tool }: ToolOf<Input>): Tool => ({
  ...tool,
  call: (given, signal) => {
    const { data, error } = tool.input.safeParse(given)
    if (data !== undefined) return call(data, signal)
    const [issue] = error?.issues ?? []
    throw new InputError([tool.name, ...(issue?.path ?? [])].join('.'), issue?.message ?? 'invalid input')
  },
})
