/** The faults that an emulator has in words, as docs/emulator.md explains them. */
export const FAULT_WORDS: Readonly<Record<string, string>> = {
  'engine-timeout-before': 'Timeout, not executed',
  'engine-timeout-after': 'Timeout, but executed',
  'engine-timeout-late': 'Timeout, executed later',
  'engine-unavailable': 'Exchange unavailable',
  'service-unavailable': 'Service unavailable',
  'portfolio-unavailable': 'Portfolio unavailable',
  'rate-limited': 'Rate limited',
  delay: 'Delayed answer',
  'reset-before': 'Connection cut, not executed',
  'reset-after': 'Connection cut, but executed',
  'reset-late': 'Connection cut, executed later',
  'truncated-body': 'Half of the answer',
  'page-cap': 'Fewer rows per page',
  'coarse-times': 'Times in whole seconds',
  'duplicate-order': 'Order placed twice',
  'stream-drop': 'Stream cut',
}

export const routeWords = (route: string): string => (route === '*' ? 'every endpoint' : route)
