#!/usr/bin/env node
import './check-node.ts'
import { loadPrograms } from './load-programs.ts'

// argv to command. `hook` takes the short path: a process per tool call must not load what it does not need.
const asksForHelp = process.argv.includes('--help') || process.argv.includes('-h')
const programs = loadPrograms()
if (process.argv[2] === 'hook' && !asksForHelp) void programs.hook(process.argv.slice(3))
else void programs.command(process.argv)
