/** The codes of refused calls in words; see docs/errors.md for all of them. */
const MEANINGS: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: 'Not valid',
  INSUFFICIENT_BALANCE: 'The balance is too small',
  NO_LIQUIDITY: 'There is no order on the other side to trade with',
  ORDER_REJECTED: 'The exchange rejected the order',
  RATE_LIMITED: 'Too many requests: wait until the rate limit resets',
  MARKET_NOT_FOUND: 'There is no such market',
  ORDER_NOT_FOUND: 'There is no such order',
  ORDER_NOT_CANCELLABLE: 'The order is no longer open',
  ASSET_NOT_FOUND: 'There is no such asset',
  AUTHENTICATION_REQUIRED: 'The admin token is missing or wrong',
  FORBIDDEN: 'This is not allowed',
  EMAIL_NOT_VERIFIED: 'The e-mail address of the account is not verified',
  ENGINE_TIMEOUT:
    'No answer from the exchange in time: the order may have been executed. Look at open orders and fills before you send it again',
  ENGINE_UNAVAILABLE: 'The exchange is not available, and nothing was done',
  SERVICE_UNAVAILABLE: 'The service is not available',
  PORTFOLIO_UNAVAILABLE: 'The portfolio is not available',
  'NO ANSWER': 'No answer: the request may have been executed. Look at open orders and fills before you send it again',
}

/**
 * `The balance is too small: not enough USD available.`
 *
 * @param message  the words of the service
 */
export function refusalWords(code: string, message: string): string {
  const meaning = MEANINGS[code] ?? `The service refused (${code})`
  return message === '' ? `${meaning}.` : `${meaning}: ${message}.`
}
