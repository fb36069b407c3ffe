/**
 * The status of a live process on a terminal.
 */
import { describe, expect, it } from 'vitest'
import { StatusScreen } from '../../../src/cli/live/live-output.ts'
import type { StatusLine } from '../../../src/report/live/status-lines.ts'
import { FakeTerminal } from './rig/fake-terminal.ts'

const lines =
  (...texts: readonly string[]) =>
  (): readonly StatusLine[] =>
    texts.map((text) => ({ text, tone: 'plain' }))

describe('the status screen', () => {
  it('writes over itself in place, and gives back what was there before', () => {
    const terminal = new FakeTerminal()
    const screen = new StatusScreen(terminal, false)
    screen.show(lines('one', 'two'))
    expect(terminal.look()).toBe(
      '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J\u001b[H\u001b[Kone\r\n\u001b[Ktwo\r\n\u001b[J',
    )
    screen.show(lines('three'))
    expect(terminal.look()).toBe('\u001b[H\u001b[Kthree\r\n\u001b[J')
    screen.close()
    screen.close()
    expect(terminal.look()).toBe('\u001b[?7h\u001b[?25h\u001b[?1049l')
    expect(terminal.listenerCount('resize')).toBe(0)
  })

  it('draws itself again when the terminal has another size', () => {
    const terminal = new FakeTerminal()
    const screen = new StatusScreen(terminal, false)
    screen.show(({ width, height }) => lines(`${width}x${height}`)())
    expect(terminal.look()).toContain('20x3')
    terminal.columns = 40
    terminal.emit('resize')
    expect(terminal.look()).toBe('\u001b[2J\u001b[H\u001b[K40x3\r\n\u001b[J')
    terminal.columns = 0
    terminal.rows = 0
    terminal.emit('resize')
    expect(terminal.look()).toContain('80x24')
    screen.close()
  })

  it('scrolls no full screen', () => {
    const terminal = new FakeTerminal()
    new StatusScreen(terminal, false).show(lines('a', 'b', 'c'))
    expect(terminal.look().endsWith('b\r\n\u001b[Kc')).toBe(true)
  })

  it('colours what needs a person, where there is colour', () => {
    const terminal = new FakeTerminal()
    new StatusScreen(terminal, true).show(() => [{ text: 'halted', tone: 'alarm' }])
    expect(terminal.look()).toContain('\u001b[31mhalted\u001b[39m')
  })

  it('leaves a terminal alone that it was never on', () => {
    const terminal = new FakeTerminal()
    new StatusScreen(terminal, false).close()
    expect(terminal.look()).toBe('')
  })
})
