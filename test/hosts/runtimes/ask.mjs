// Asks all questions of a file with the client, in this runtime, and prints the replies: `ask.mjs <client.js> <file>`.
import { readFileSync } from 'node:fs'

const [client = '', file = ''] = process.argv.slice(2)
/** @type {typeof import('../../../src/adapters/client/client.ts')} */
const { createClient } = await import(client)
const { home, questions } = JSON.parse(readFileSync(file, 'utf8'))
/** @type {object[]} */
const replies = []
let next = 0
const worker = async () => {
  while (next < questions.length) {
    const at = next
    next += 1
    const { host, payload, ...question } = questions[at]
    const asked = { ...question, payload: Buffer.from(payload, 'base64') }
    const { stdout, stderr, exitCode } = await createClient({ home, host }).ask(asked)
    replies[at] = { stdout, stderr, exitCode }
  }
}
await Promise.all(Array.from({ length: 8 }, worker))
process.stdout.write(JSON.stringify(replies))
