#!/usr/bin/env node
import './check-node.ts'
import { isHookCall } from '../src/commands/is-hook-call.ts'
import { loadPrograms } from './load-programs.ts'

/** Commands that decide many calls. */
const BATCHES = ['check', 'scan', 'replay']

// Words to command. `hook` takes the short path: a process per tool call must not load what it does not need.
const words = process.argv.slice(2)
const programs = loadPrograms(BATCHES.includes(words[0] ?? '') ? 'batch' : 'other')
if (isHookCall(words)) void programs.hook(words.slice(1))
else void programs.command(words)
