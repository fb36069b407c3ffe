/** Reads the envelope of an error (section 2, Error envelope). */
import { ExchangeError } from '../domain/errors.ts'
import type { RefusalDetail } from '../domain/refusal.ts'
import { STATUS_OF_CODE, type ErrorCode } from './error-code.ts'
import { Fields, readArray } from './read-fields.ts'

export interface WireError {
  /** Code of the specification, or another. */
  readonly code: string
  readonly message: string
  readonly details: readonly RefusalDetail[] | undefined
  readonly requestId: string
}

/** Undefined for an invalid envelope, such as a proxy's error page. */
export function readError(answer: unknown): WireError | undefined {
  try {
    const fields = new Fields(answer, '')
    const error = new Fields(fields.value('error'), 'error')
    return {
      code: error.text('code'),
      message: error.words('message'),
      details: error.has('details') ? readArray(error.value('details'), 'error.details', readDetail) : undefined,
      requestId: fields.text('requestId'),
    }
  } catch (fault) {
    if (fault instanceof ExchangeError) return undefined
    throw fault
  }
}

/** The error's code when it is one of the specification's, and came with the status of that code. */
export const documentedCode = (status: number, { code }: WireError): ErrorCode | undefined =>
  isErrorCode(code) && STATUS_OF_CODE[code] === status ? code : undefined

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(STATUS_OF_CODE, code)

function readDetail(item: unknown, path: string): RefusalDetail {
  const fields = new Fields(item, path)
  return { message: fields.words('message'), ...(fields.has('field') && { field: fields.words('field') }) }
}
