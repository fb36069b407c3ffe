/** Errors of a zip archive, with the name of the file or `file!entry`. */
import { InputError } from '../../domain/errors.ts'
import { escapeControls } from '../../domain/escape-controls.ts'

/** Place of an entry in a message. */
export const entryPlace = (file: string, name: string): string => escapeControls(`${file}!${name}`)

/** A read error as InputError; other errors are returned unchanged. */
export function asZipFault(place: string, error: unknown): unknown {
  if (error instanceof InputError || !(error instanceof Error) || !('code' in error)) return error
  const { code } = error
  if (code === 'ENOENT') return new InputError(place, 'no such file', { cause: error })
  if (code === 'Z_BUF_ERROR') {
    return new InputError(place, 'expected complete compressed data, got some that were cut off', { cause: error })
  }
  const said = escapeControls(error.message)
  if (code === 'Z_DATA_ERROR') {
    return new InputError(place, `expected sound compressed data, got damaged ones (${said})`, { cause: error })
  }
  return new InputError(place, `cannot be read (${said})`, { cause: error })
}
