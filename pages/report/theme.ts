/**
 * The choice between dark and light: as the system has it, or as the reader chose, which the browser remembers.
 */
import { el } from '../parts/dom.ts'
import { repaint } from '../parts/palette.ts'

const THEMES = ['auto', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const KEY = 'papertape-theme'

/** A page that is opened as a file may have no storage. */
function remembered(): Theme {
  try {
    const name = localStorage.getItem(KEY)
    return THEMES.find((each) => each === name) ?? 'auto'
  } catch {
    return 'auto'
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // The choice lasts as long as the page.
  }
}

function apply(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  repaint()
}

/** A list of the themes. The one that was chosen before is shown at once. */
export function themeList(): HTMLElement {
  const list = document.createElement('select')
  list.className = 'theme'
  list.setAttribute('aria-label', 'Theme')
  list.append(...THEMES.map((theme) => el('option', { value: theme }, `${theme} theme`)))
  list.value = remembered()
  apply(remembered())
  list.addEventListener('change', () => {
    const theme = THEMES.find((each) => each === list.value) ?? 'auto'
    remember(theme)
    apply(theme)
  })
  return list
}
