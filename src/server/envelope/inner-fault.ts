/** The answer when something went wrong inside (decision 27): not a word of it. */
import { InvariantError } from '../../domain/errors.ts'
import type { ErrorCode } from '../../wire/error-code.ts'
import { ServiceError } from './service-error.ts'

/** @param whenStopped  the route's own; see `Route` */
export function innerFault(error: unknown, whenStopped: ErrorCode = 'ENGINE_UNAVAILABLE'): ServiceError {
  if (!(error instanceof InvariantError)) {
    return new ServiceError('SERVICE_UNAVAILABLE', 'the service is not available')
  }
  return new ServiceError(whenStopped, 'the engine has stopped')
}
