/**
 * Levels of the log of a server, the most talkative first. Apart from the log, so that `--help` loads no logger.
 */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]
