#!/usr/bin/env node
import './check-node.ts'
import { isHookCall } from '../src/commands/is-hook-call.ts'
import { VERSION } from '../src/core/version.ts'
import { loadPrograms } from './load-programs.ts'

/** Commands that decide many calls. */
const BATCHES = ['check', 'scan', 'replay']

const words = process.argv.slice(2)

// Words to command. Who asks for the version alone gets it without the command line.
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) writeVersion()
else start()

function writeVersion(): void {
  // `holdpoint --version | true` closes the pipe early; that is not an error.
  process.stdout.on('error', (error) => {
    if (!('code' in error && error.code === 'EPIPE')) throw error
  })
  process.stdout.write(`${VERSION}\n`)
}

/** `hook` takes the short path: a process per tool call must not load what it does not need. */
function start(): void {
  const programs = loadPrograms(kindOf(words[0] ?? ''))
  if (isHookCall(words)) void programs.hook(words.slice(1))
  else void programs.command(words)
}

function kindOf(word: string): Parameters<typeof loadPrograms>[0] {
  if (BATCHES.includes(word)) return 'batch'
  return word !== 'hook' && /^[a-z]+$/.test(word) ? { command: word } : 'other'
}
