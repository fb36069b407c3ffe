/**
 * A status that stays on the screen of a terminal and is written over in place; what was on the screen before comes
 * back at the end.
 */
import picocolors from 'picocolors'
import type { LineTone, ScreenSize, StatusLine } from '../../report/live/status-lines.ts'

/** The part of a terminal that is used, such as `io.stdout`. */
export interface Terminal {
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
  on(event: 'resize', listener: () => void): unknown
  off(event: 'resize', listener: () => void): unknown
}

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l'
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l'
const HOME = '\u001b[H'
const CLEAR = '\u001b[2J'
const TO_LINE_END = '\u001b[K'
const TO_SCREEN_END = '\u001b[J'

export class StatusScreen {
  readonly #terminal: Terminal
  readonly #tones: Readonly<Record<LineTone, (text: string) => string>>
  #lines: (size: ScreenSize) => readonly StatusLine[] = () => []
  #isOn = false

  constructor(terminal: Terminal, hasColour: boolean) {
    const { bold, red, dim } = picocolors.createColors(hasColour)
    this.#terminal = terminal
    this.#tones = { plain: (text) => text, title: bold, alarm: red, dim }
  }

  /** @param lines  for a size, which may change before the next call */
  show(lines: (size: ScreenSize) => readonly StatusLine[]): void {
    this.#lines = lines
    if (!this.#isOn) {
      this.#isOn = true
      this.#terminal.write(ENTER + CLEAR)
      this.#terminal.on('resize', this.#onResize)
    }
    this.#draw()
  }

  /** Once is enough; more do no harm. Whoever ends the process calls it first, however it ends. */
  close(): void {
    if (!this.#isOn) return
    this.#isOn = false
    this.#terminal.off('resize', this.#onResize)
    this.#terminal.write(LEAVE)
  }

  readonly #onResize = (): void => {
    this.#terminal.write(CLEAR)
    this.#draw()
  }

  /**
   * What was there is taken away before a line and not behind it, where it would take a character of the last column
   * along; and no line end stands behind the last row, which would scroll.
   */
  #draw(): void {
    const { columns, rows } = this.#terminal
    const size = { width: known(columns, 80), height: known(rows, 24) }
    const lines = this.#lines(size).map(({ text, tone }) => `${TO_LINE_END}${this.#tones[tone](text)}`)
    const rest = lines.length < size.height ? `\r\n${TO_SCREEN_END}` : ''
    this.#terminal.write(`${HOME}${lines.join('\r\n')}${rest}`)
  }
}

/** A terminal that has no size yet says 0, and some say nothing. */
const known = (size: number | undefined, usual: number): number => (size === undefined || size === 0 ? usual : size)
