#!/usr/bin/env node
import './check-node.ts'
import { loadPrograms } from './load-programs.ts'

/** Commands that decide many calls. */
const BATCHES = ['check', 'scan', 'replay']

// argv to command. `hook` takes the short path: a process per tool call must not load what it does not need.
const asksForHelp = process.argv.includes('--help') || process.argv.includes('-h')
const programs = loadPrograms(BATCHES.includes(process.argv[2] ?? '') ? 'batch' : 'other')
if (process.argv[2] === 'hook' && !asksForHelp) void programs.hook(process.argv.slice(3))
else void programs.command(process.argv)
