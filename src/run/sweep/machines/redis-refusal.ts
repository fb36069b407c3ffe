/**
 * Answers of a Redis that is there and does not take what it is given: it has no room, may not write, or the user may not.
 */

export const isRefusal = (error: unknown): error is Error => error instanceof Error && error.name === 'ReplyError'

export const refusalText = ({ message }: Error): string => `does not take points (${message})`
