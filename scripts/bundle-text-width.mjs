/**
 * Width of a text on a terminal, in the bundle: `string-width`, which is loaded for the first text that is more than
 * plain ASCII. It takes its tables of Unicode as it is loaded (some 40 ms), and yargs loads it for every command,
 * though help alone lays out text. All that ask for it get the one of the project's folder, whatever version they ask
 * for.
 */

const CONTENTS = `
let widthOf
export default (text, options) => {
  if (typeof text === 'string' && /^[\\x20-\\x7e]*$/.test(text)) return text.length
  widthOf ??= require('string-width').default
  return widthOf(text, options)
}
`
const OURS = 'text-width'

/** @type {import('esbuild').Plugin} */
export const textWidth = {
  name: OURS,
  setup({ initialOptions, onLoad, onResolve }) {
    onResolve({ filter: /^string-width$/ }, ({ namespace, path }) =>
      namespace === OURS ? undefined : { path, namespace: OURS },
    )
    onLoad({ filter: /.*/, namespace: OURS }, () => ({
      contents: CONTENTS,
      resolveDir: initialOptions.absWorkingDir ?? process.cwd(),
    }))
  },
}
