/** Messages between a live process and its shadow, a strategy on paper in a process of its own. */
import type { RunReport } from '../../report/run/run-report.ts'
import type { PaperOptions } from '../paper-options.ts'

/** The first message to a shadow. It has no key: a shadow reads the public data of the service alone. */
export interface ShadowJob extends Pick<PaperOptions, 'url' | 'series' | 'credits' | 'terms' | 'out'> {
  /** File, or name of a ready strategy. */
  readonly strategy: string
  /** Market of a strategy that has a `symbol` parameter. */
  readonly symbol: string | undefined
  /** Parameters of the live strategy, for a shadow that has them. */
  readonly shared: ShadowParams
  /** Its own parameters. */
  readonly own: ShadowParams
}

export interface ShadowParams {
  readonly values: Readonly<Record<string, unknown>>
  readonly texts: Readonly<Record<string, string>>
}

/** A later message to a shadow. `user` is that of the live account, as soon as it is known. */
export type ShadowCommand = { readonly type: 'stop' } | { readonly type: 'user'; readonly userId: string }

/** A finished shadow. */
export interface ShadowRun {
  readonly directory: string
  readonly report: RunReport
}

/** A message of a shadow. `alive` comes once a second. */
export type ShadowMessage =
  | { readonly type: 'alive' }
  | { readonly type: 'started'; readonly directory: string }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'ended'; readonly run: ShadowRun | undefined }
