/**
 * Prints the tasks or, with a file, scores the recorded answers of a model:
 * `node --import ./bench/loader.mjs bench/agent/score.mjs answers.jsonl`, with a line such as
 * {"task": "equity", "answer": "10046.92571"} for each task.
 */
import { readFileSync } from 'node:fs'
import { AGENT_TASKS } from './tasks.ts'

const [file] = process.argv.slice(2)
if (file === undefined) {
  for (const { id, ask } of AGENT_TASKS) console.log(JSON.stringify({ task: id, ask }))
  process.exit()
}
/** @type {Map<string, string>} */
const answers = new Map()
for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
  const { task, answer } = JSON.parse(line)
  answers.set(task, String(answer))
}
let right = 0
for (const task of AGENT_TASKS) {
  const answer = answers.get(task.id)
  const isRight = answer !== undefined && task.right.test(answer)
  right += isRight ? 1 : 0
  console.log(`${isRight ? 'right  ' : answer === undefined ? 'missing' : 'wrong  '} ${task.id}`)
}
console.log(`${right} of ${AGENT_TASKS.length}`)
