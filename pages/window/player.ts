/**
 * Plays a run: time goes on at the chosen speed, and the next step begins once the last one is shown.
 *
 * Invariant: a slow answer makes a step longer, never the queue of steps.
 */
import { byId, setText, showOptions } from '../parts/dom.ts'
import { lengthWords } from '../parts/words.ts'

interface PlayerOptions {
  /** Shows a moment. @returns once it is shown, and false at the end of the run */
  readonly step: (clock: number) => Promise<boolean>
  /** Unix milliseconds of the moment that is shown. */
  readonly clock: () => number
  /** Playing began, or ended. */
  readonly onChange: (isPlaying: boolean) => void
}

/** Milliseconds of the market for one second. */
const SPEEDS = [
  ...[1, 10].map((seconds) => seconds * 1_000),
  ...[1, 10].map((minutes) => minutes * 60_000),
  ...[1, 6, 24, 168].map((hours) => hours * 3_600_000),
]
/** Seconds within which a run is over at the first choice of speed, as far as there is one. */
const WHOLE_SECONDS = 180
const EACH_MS = 80

export class Player {
  readonly #options: PlayerOptions
  readonly #speeds = byId('speed', HTMLSelectElement)
  readonly #button = byId('play', HTMLButtonElement)
  #isPlaying = false
  /** Number of times that playing began: the steps of an earlier time end, also if a pause was short. */
  #begun = 0

  constructor(options: PlayerOptions) {
    this.#options = options
    showOptions(
      this.#speeds,
      SPEEDS.map((each) => [String(each), each === 1_000 ? 'as it was' : `${lengthWords(each)} a second`]),
    )
    this.#button.addEventListener('click', () => {
      this.toggle()
    })
  }

  get isPlaying(): boolean {
    return this.#isPlaying
  }

  /** Chooses a speed for a run of this length. */
  suit(spanMs: number): void {
    this.#speeds.value = String(SPEEDS.find((each) => each * WHOLE_SECONDS >= spanMs) ?? SPEEDS.at(-1))
  }

  /** @param by  1 for the next faster speed, -1 for the next slower one */
  changeSpeed(by: number): void {
    const next = SPEEDS[SPEEDS.indexOf(Number(this.#speeds.value)) + by]
    if (next !== undefined) this.#speeds.value = String(next)
  }

  toggle(): void {
    if (this.#isPlaying) this.pause()
    else void this.#play()
  }

  pause(): void {
    this.#set(false)
  }

  #set(isPlaying: boolean): void {
    this.#isPlaying = isPlaying
    setText(this.#button, isPlaying ? 'Pause' : 'Play')
    this.#options.onChange(isPlaying)
  }

  async #play(): Promise<void> {
    this.#set(true)
    this.#begun += 1
    const own = this.#begun
    const isOver = (): boolean => !this.#isPlaying || this.#begun !== own
    let before = performance.now()
    const next = async (): Promise<boolean> => {
      await new Promise((resolve) => setTimeout(resolve, EACH_MS))
      if (isOver()) return false
      const now = performance.now()
      const passed = ((now - before) / 1_000) * Number(this.#speeds.value)
      before = now
      return this.#options.step(Math.round(this.#options.clock() + passed))
    }
    while (await next());
    if (!isOver()) this.pause()
  }
}
