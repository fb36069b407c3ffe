/**
 * An error that is an answer and no fault of ours: it knows nothing of the calls that led to it, which would take longer to write down
 * than all the rest of the answer. Strangers make as many as they like.
 */
export class StacklessError extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
  }
}
