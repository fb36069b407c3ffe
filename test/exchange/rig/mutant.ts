/**
 * The exchange with one of the seeded bugs in it, and a drive that looks for it in a process of its own.
 *
 * The sources are stripped of their types into a temporary folder once; a mutant is a copy of src/exchange there with
 * one file changed. So production code carries no switch, and a bug that never ends or eats all memory ends with its
 * process.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'
import type { DriveOrder, DriveReport } from './mutant-drive.ts'
import type { SeededBug } from './seeded-bug.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const DRIVE = 'test/exchange/rig/mutant-drive.ts'
const ENTRIES = [DRIVE, 'src/exchange/create-exchange.ts', 'src/exchange/restore-exchange.ts']
/** Far beyond what a drive takes: only for bugs that never end. */
const TIMEOUT_MS = 480_000
const MEMORY_MB = 512

const scriptOf = (file: string): string => file.replace(/\.ts$/, '.js')

function transpiled(file: string, source: string): string {
  const { outputText } = ts.transpileModule(source, {
    fileName: file,
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2023,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
    },
  })
  return outputText
}

const sourceOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** The text of `file` with the bug in it. @throws {Error} when the bug no longer fits the code */
export function seed({ name, file, find, replace }: SeededBug): string {
  const source = sourceOf(`src/exchange/${file}`)
  const places = source.split(find).length - 1
  if (places === 1) return source.replace(find, () => replace)
  throw new Error(`the bug no longer fits the code: '${name}' looks for a text that is ${places} times in ${file}`)
}

/** Where the scripts are, and a mutant for each bug beside them. */
export class MutantFolder {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), 'papertape-mutants-')))
  #mutants = 0

  constructor() {
    writeFileSync(join(this.#folder, 'package.json'), '{ "type": "module" }')
    symlinkSync(join(ROOT, 'node_modules'), join(this.#folder, 'node_modules'))
    const seen = new Set<string>()
    for (const entry of ENTRIES) this.#transpile(entry, seen)
  }

  /** Drives the exchange with a bug in it, or as it is when none is given. */
  async drive(bug: SeededBug | undefined, order: Omit<DriveOrder, 'folder'>): Promise<DriveReport> {
    if (bug === undefined) return this.#driveIn(join(this.#folder, 'src'), order, TIMEOUT_MS)
    return this.driveChanged(bug.file, seed(bug), order)
  }

  /** Drives the exchange with another text in place of one of its files. @param file  below src/exchange */
  async driveChanged(
    file: string,
    source: string,
    order: Omit<DriveOrder, 'folder'>,
    timeoutMs = TIMEOUT_MS,
  ): Promise<DriveReport> {
    const folder = this.#mutant(file, source)
    try {
      return await this.#driveIn(folder, order, timeoutMs)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  async #driveIn(folder: string, order: Omit<DriveOrder, 'folder'>, timeout: number): Promise<DriveReport> {
    const script = join(this.#folder, scriptOf(DRIVE))
    const asked: DriveOrder = { ...order, folder: pathToFileURL(`${folder}/exchange/`).href }
    const flags = [`--max-old-space-size=${MEMORY_MB}`, script, JSON.stringify(asked)]
    return new Promise((resolve, reject) => {
      execFile(process.execPath, flags, { timeout, killSignal: 'SIGKILL' }, (error, stdout) => {
        if (error === null) resolve(JSON.parse(stdout) as DriveReport)
        else reject(new Error('the drive did not come to its end', { cause: error }))
      })
    })
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true })
  }

  #mutant(file: string, source: string): string {
    this.#mutants += 1
    const folder = join(this.#folder, `mutant-${this.#mutants}`)
    cpSync(join(this.#folder, 'src/exchange'), join(folder, 'exchange'), { recursive: true })
    symlinkSync(join(this.#folder, 'src/domain'), join(folder, 'domain'))
    writeFileSync(join(folder, 'exchange', scriptOf(file)), transpiled(file, source))
    return folder
  }

  /** With everything that it imports. */
  #transpile(file: string, seen: Set<string>): void {
    if (seen.has(file)) return
    seen.add(file)
    const script = transpiled(file, sourceOf(file))
    const target = join(this.#folder, scriptOf(file))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, script)
    for (const { fileName } of ts.preProcessFile(script).importedFiles) {
      if (fileName.startsWith('.')) this.#transpile(join(dirname(file), fileName).replace(/\.js$/, '.ts'), seen)
    }
  }
}
