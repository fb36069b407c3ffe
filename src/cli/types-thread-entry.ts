/**
 * The thread that checks types during `papertape backtest --watch`: receives the paths of files, returns their type
 * errors.
 */
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { InputError } from '../domain/errors.ts'
import { TypeCheck } from './types/type-check.ts'
import type { TypesAnswer, TypesQuestion } from './types/types-thread.ts'

const cwd = workerData as string
let check: TypeCheck | undefined

parentPort?.on('message', (question: TypesQuestion) => {
  parentPort?.postMessage(answerTo(question))
})

function answerTo({ id, files }: TypesQuestion): TypesAnswer {
  try {
    check ??= TypeCheck.load([dirname(files[0] ?? cwd), cwd])
    return { id, faults: check.faults(files) }
  } catch (error) {
    if (error instanceof InputError) return { id, failure: error.message }
    throw error
  }
}
