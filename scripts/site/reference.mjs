/**
 * The reference of the package as Markdown, made of its docstrings by TypeDoc: one page an export of the package.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Application, Configuration } from 'typedoc'

/** Exports by the name of the file of src that gathers them. */
const ENTRIES = { index: 'papertape', run: 'papertape/run', testing: 'papertape/testing' }
const MORE_ENTRIES = { liquidity: 'papertape/liquidity', emulator: 'papertape/emulator', client: 'papertape/client' }

/** Tags of TypeDoc, and those of our docstrings for the unit of a number, and for none. */
const BLOCK_TAGS = /** @type {`@${string}`[]} */ ([...Configuration.OptionDefaults.blockTags, '@unit', '@null'])

/**
 * @param {string} root  of the project, built
 * @returns {Promise<readonly { name: string, title: string, markdown: string }[]>}
 */
export async function referencePages(root) {
  const entries = { ...ENTRIES, ...MORE_ENTRIES }
  const files = Object.keys(entries).map((name) => join(root, 'dist', `${name}.d.ts`))
  // Declarations are read much faster than the source, and have the same docstrings.
  const out = mkdtempSync(join(root, 'dist', 'reference-'))
  try {
    const tsconfig = join(out, 'tsconfig.json')
    const compilerOptions = { target: 'ES2023', module: 'NodeNext', types: ['node'], strict: true, skipLibCheck: true }
    writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files }))
    const app = await Application.bootstrapWithPlugins({
      ...{
        entryPoints: files,
        tsconfig,
        plugin: ['typedoc-plugin-markdown'],
        blockTags: BLOCK_TAGS,
        logLevel: 'Error',
      },
      ...{ skipErrorChecking: true, readme: 'none', disableGit: true, disableSources: true, excludeExternals: true },
      ...{ excludePrivate: true, router: 'module', hideBreadcrumbs: true, hidePageHeader: true, entryFileName: 'all' },
      ...{ parametersFormat: 'table', useCodeBlocks: true, useHTMLAnchors: true, validation: false },
      outputs: [{ name: 'markdown', path: out }],
    })
    const project = await app.convert()
    if (project === undefined) throw new Error('TypeDoc could not read the declarations in dist')
    await app.generateOutputs(project)
    return Object.entries(entries).map(([name, title]) => ({
      name,
      title,
      markdown: readFileSync(join(out, `${name}.md`), 'utf8'),
    }))
  } finally {
    rmSync(out, { recursive: true })
  }
}
