/**
 * Type errors of strategy files, as the user's own TypeScript reports them.
 *
 * - Options: the `tsconfig.json` beside or above the file; otherwise strict defaults.
 * - `papertape`, `rxjs` and `zod` are those of the run if the file's own folder has none.
 * - JavaScript is checked too, without errors for parameters that have no type.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type ts from 'typescript'
import { InputError } from '../../domain/errors.ts'
import { nearestName } from '../../domain/nearest-name.ts'
import { setting } from '../../domain/setting-name.ts'
import { READY_FOLDER } from '../../runtime/strategies/ready-strategies.ts'

export interface TypeFault {
  /** Absolute path. */
  readonly file: string
  /** Line and column from 1. */
  readonly line: number
  readonly column: number
  /** Error code of TypeScript, such as 2552. */
  readonly code: number
  /** Several lines for a chain of reasons. */
  readonly message: string
}

type TypeScript = typeof ts

const require = createRequire(import.meta.url)
const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url))
const OURS = /^(?:papertape|rxjs|zod)(?:\/|$)/
const CODE = /\.[cm]?[jt]s$/
const JAVASCRIPT = /\.[cm]?js$/

/** Global declarations for strategies without types of Node. */
const GLOBALS_FILE = join(PACKAGE, 'strategy-globals.d.ts')
const GLOBALS =
  'declare const console: Record<"debug" | "error" | "info" | "log" | "warn", (...data: unknown[]) => void>\n'

/** Incremental type check: only the first one is slow. */
export class TypeCheck {
  readonly #typescript: TypeScript
  readonly #sources = new Map<string, ts.SourceFile>()
  #before: ts.Program | undefined

  private constructor(typescript: TypeScript) {
    this.#typescript = typescript
  }

  /**
   * @param folders  searched for TypeScript before papertape's own
   * @throws {InputError} if it is not installed
   */
  static load(folders: readonly string[]): TypeCheck {
    const place = [...folders, PACKAGE].map(typescriptIn).find((path) => path !== undefined)
    if (place === undefined)
      throw new InputError(setting('types'), 'needs TypeScript: npm install --save-dev typescript')
    const typescript = require(place) as Partial<TypeScript>
    if (typeof typescript.createProgram !== 'function' || typeof typescript.sys !== 'object') {
      const found = `found ${typescript.version ?? 'another'} in ${place}`
      throw new InputError(setting('types'), `needs TypeScript 5 or 6 (${found}): npm install --save-dev typescript@6`)
    }
    return new TypeCheck(typescript as TypeScript)
  }

  /**
   * Checks files and what they import, except packages and declarations.
   *
   * @param files  absolute paths; JavaScript among them is checked only if none is TypeScript
   */
  faults(files: readonly string[]): readonly TypeFault[] {
    const code = files.filter((file) => CODE.test(file))
    const typed = code.filter((file) => !JAVASCRIPT.test(file))
    const [first, ...others] = typed.length > 0 ? typed : code
    if (first === undefined) return []
    const { options, declarations, errors } = this.#config(first)
    const program = this.#typescript.createProgram({
      rootNames: [first, ...others, ...declarations],
      options,
      host: this.#host(options, dirname(first)),
      ...(this.#before && { oldProgram: this.#before }),
    })
    this.#before = program
    const own = program
      .getSourceFiles()
      .filter((file) => files.includes(file.fileName) || !isForeign(program, file))
      .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    return [...errors, ...program.getOptionsDiagnostics(), ...own].map((each) => this.#faultOf(each, program))
  }

  #config(file: string): Config {
    const { sys, findConfigFile, getParsedCommandLineOfConfigFile } = this.#typescript
    const isScript = JAVASCRIPT.test(file)
    const always = {
      noEmit: true,
      composite: false,
      incremental: false,
      declaration: false,
      allowImportingTsExtensions: true,
      ...(isScript && { allowJs: true, checkJs: true, noImplicitAny: false }),
    }
    // A built-in strategy is in a package, and a config above it belongs to another project.
    const path = file.startsWith(READY_FOLDER)
      ? undefined
      : findConfigFile(dirname(file), (each) => sys.fileExists(each))
    if (path === undefined) return this.#defaults(file, always)
    const read = getParsedCommandLineOfConfigFile(path, always, {
      ...sys,
      onUnRecoverableConfigFileDiagnostic: () => undefined,
    })
    if (read === undefined) return this.#defaults(file, always)
    return {
      options: read.options,
      declarations: read.fileNames.filter((each) => each.endsWith('.d.ts')),
      errors: read.errors.filter(({ code }) => code !== NO_INPUTS),
    }
  }

  #defaults(file: string, always: ts.CompilerOptions): Config {
    const { ModuleKind, ModuleResolutionKind, ModuleDetectionKind, ScriptTarget } = this.#typescript
    const hasNode = this.#resolved('@types/node/package.json', file) !== undefined
    const options = {
      target: ScriptTarget.ES2022,
      lib: ['lib.es2023.d.ts'],
      module: ModuleKind.ESNext,
      moduleResolution: ModuleResolutionKind.Bundler,
      moduleDetection: ModuleDetectionKind.Force,
      types: hasNode ? ['node'] : [],
      strict: true,
      skipLibCheck: true,
      resolveJsonModule: true,
      ...always,
    }
    return { options, declarations: hasNode ? [] : [GLOBALS_FILE], errors: [] }
  }

  /** @param folder  searched for type packages without a config */
  #host(options: ts.CompilerOptions, folder: string): ts.CompilerHost {
    const { createCompilerHost, createSourceFile, resolveModuleName } = this.#typescript
    const host = createCompilerHost(options)
    const read = (path: string): string | undefined => (path === GLOBALS_FILE ? GLOBALS : host.readFile(path))
    return {
      ...host,
      getCurrentDirectory: () => folder,
      fileExists: (path) => path === GLOBALS_FILE || host.fileExists(path),
      readFile: read,
      getSourceFile: (path, settings) => {
        const text = read(path)
        if (text === undefined) return undefined
        const before = this.#sources.get(path)
        if (before?.text === text) return before
        const file = createSourceFile(path, text, settings)
        this.#sources.set(path, file)
        return file
      },
      resolveModuleNameLiterals: (literals, containing, redirected, all) =>
        literals.map(({ text }) => {
          const { resolvedModule } = resolveModuleName(text, containing, all, host, undefined, redirected)
          return resolvedModule === undefined && OURS.test(text)
            ? { resolvedModule: this.#resolved(text, join(PACKAGE, 'bin/papertape.js')) }
            : { resolvedModule }
        }),
    }
  }

  /** Module resolution as for an import in that file. */
  #resolved(name: string, containing: string): ts.ResolvedModuleFull | undefined {
    const { ModuleKind, ModuleResolutionKind, resolveModuleName, sys } = this.#typescript
    const options = {
      module: ModuleKind.ESNext,
      moduleResolution: ModuleResolutionKind.Bundler,
      resolveJsonModule: true,
    }
    return resolveModuleName(name, containing, options, sys).resolvedModule
  }

  #faultOf({ file, start = 0, code, messageText }: ts.Diagnostic, program: ts.Program): TypeFault {
    const message = this.#typescript.flattenDiagnosticMessageText(messageText, '\n')
    if (file === undefined) {
      const config = program.getCompilerOptions().configFilePath
      return { file: typeof config === 'string' ? config : 'tsconfig.json', line: 1, column: 1, code, message }
    }
    const { line, character } = file.getLineAndCharacterOfPosition(start)
    const hint = code === NO_PROPERTY ? this.#nearestProperty(file, start, program.getTypeChecker()) : ''
    return { file: file.fileName, line: line + 1, column: character + 1, code, message: `${message}${hint}` }
  }

  /** TypeScript names the nearest property of `a.b`, but not of `{ b } = a`. */
  #nearestProperty(file: ts.SourceFile, start: number, checker: ts.TypeChecker): string {
    const { forEachChild, isBindingElement } = this.#typescript
    const elementAt = (node: ts.Node): ts.BindingElement | undefined => {
      if (start < node.pos || start >= node.end) return undefined
      return forEachChild(node, elementAt) ?? (isBindingElement(node) ? node : undefined)
    }
    const element = elementAt(file)
    if (element === undefined) return ''
    const names = checker.getPropertiesOfType(checker.getTypeAtLocation(element.parent)).map(({ name }) => name)
    const nearest = nearestName((element.propertyName ?? element.name).getText(file), names)
    return nearest === undefined ? '' : ` Did you mean '${nearest}'?`
  }
}

interface Config {
  readonly options: ts.CompilerOptions
  readonly declarations: readonly string[]
  readonly errors: readonly ts.Diagnostic[]
}

/** `Property 'a' does not exist on type ...`. */
const NO_PROPERTY = 2_339

/** Allowed: a config without files, because its own files are not checked. */
const NO_INPUTS = 18_003

function typescriptIn(folder: string): string | undefined {
  try {
    return require.resolve('typescript', { paths: [folder] })
  } catch {
    return undefined
  }
}

const isForeign = (program: ts.Program, file: ts.SourceFile): boolean =>
  file.isDeclarationFile ||
  file.fileName.startsWith(join(PACKAGE, 'src')) ||
  program.isSourceFileFromExternalLibrary(file) ||
  program.isSourceFileDefaultLibrary(file)
