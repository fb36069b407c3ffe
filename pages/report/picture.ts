/**
 * Files made in the page: a picture of charts, and the rows of a table. Nothing is sent anywhere.
 */
import { el } from '../parts/dom.ts'
import { colourOf } from '../parts/palette.ts'

/** Lets the reader save a file. */
export function save(name: string, file: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name.replaceAll(/[^\w.-]+/g, '-')
  link.click()
  // The download has to begin first.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** A button that saves charts as one PNG, one below the other. */
export function pictureButton(name: string, canvases: () => readonly HTMLCanvasElement[]): HTMLElement {
  const label = 'PNG: save a picture of the chart'
  const button = el('button', { type: 'button', class: 'small save', 'aria-label': label, title: label }, 'PNG')
  button.addEventListener('click', () => {
    stacked(canvases()).toBlob((file) => {
      if (file !== null) save(`${name}.png`, file)
    })
  })
  return button
}

function stacked(canvases: readonly HTMLCanvasElement[]): HTMLCanvasElement {
  const picture = document.createElement('canvas')
  picture.width = Math.max(...canvases.map(({ width }) => width))
  picture.height = canvases.reduce((sum, { height }) => sum + height, 0)
  const context = picture.getContext('2d')
  if (context === null) return picture
  context.fillStyle = colourOf('--surface')
  context.fillRect(0, 0, picture.width, picture.height)
  let top = 0
  for (const canvas of canvases) {
    context.drawImage(canvas, 0, top)
    top += canvas.height
  }
  return picture
}
