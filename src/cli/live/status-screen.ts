/** A status screen in a terminal, redrawn in place; the previous content is restored at the end. */
import picocolors from 'picocolors'
import type { LineTone, ScreenSize, StatusLine } from '../../report/live/status-lines.ts'

/** The required part of a terminal, such as `io.stdout`. */
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

  /** @param lines  for the given size, which may change before the next call */
  show(lines: (size: ScreenSize) => readonly StatusLine[]): void {
    this.#lines = lines
    if (!this.#isOn) {
      this.#isOn = true
      this.#terminal.write(ENTER + CLEAR)
      this.#terminal.on('resize', this.#onResize)
    }
    this.#draw()
  }

  /** Restores the terminal. Idempotent. Must be called before the process ends. */
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
   * Erases each line before writing it, because erasing afterwards would remove a character in the last column. No
   * newline follows the last row, because it would scroll.
   */
  #draw(): void {
    const { columns, rows } = this.#terminal
    const size = { width: known(columns, 80), height: known(rows, 24) }
    const lines = this.#lines(size).map(({ text, tone }) => `${TO_LINE_END}${this.#tones[tone](text)}`)
    const rest = lines.length < size.height ? `\r\n${TO_SCREEN_END}` : ''
    this.#terminal.write(`${HOME}${lines.join('\r\n')}${rest}`)
  }
}

/** A terminal without a size reports 0 or nothing. */
const known = (size: number | undefined, usual: number): number => (size === undefined || size === 0 ? usual : size)
